import * as fc from 'fast-check'
import { reset } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { importInheritedWebhooks } from '../../../tools/operate/import/inherited.ts'
import { outboxStatements } from '../../../workers/scraper/db/outbox.ts'
import { undeliveredStatements } from '../../../shared/db/deliveries/settle.ts'
import type { WebhookState } from '../../../shared/webhooks/webhook.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { openDatabase } from '../../support/open-database.ts'
import { type Client, openClient, times, WEBHOOKS } from '../../support/webhook-client.ts'
import {
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedDelivery,
  seedQuote,
} from '../../support/webhooks.ts'
import { changeRows } from '../../support/rows.ts'

/** What the contract says a webhook is, and nothing of how it is kept. */
interface Model {
  state: WebhookState
  version: number
}

const SEALED = { url: 'sealed', authorization: null, secret: 'sealed' }

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const isOn = ({ state }: Model) => state === 'active' || state === 'capacity'

const KINDS = 'create edit pause activate touch rotate delete test import fail crowd recover'.split(
  ' ',
)

const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  /** Which webhook, of those there are. */
  which: fc.nat(20),
  /** How many clients do it at once. */
  clients: fc.constantFrom(1, 2, 3),
  isStale: fc.boolean(),
  isOn: fc.boolean(),
  operation: fc.nat(6),
})

it('after any course of events webhooks are as the contract says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      await reset()
      await openDatabase()
      await seedQuote('usd/blue', 1400, 1450)
      const first = await openClient()
      const { accountId } = first
      const others = [await openClient({ accountId }), await openClient({ accountId })]
      const driver = new Driver([first, ...others])
      for (const one of steps) await driver.take(one)
    }),
    { numRuns: 8 },
  )
}, 120_000)

class Driver {
  readonly webhooks = new Map<string, Model>()
  readonly operations = new Map<string, string>()
  readonly secrets = new Set<string>()
  readonly versions = new Map<string, number>()
  /** Of one account, each with a key of its own. */
  readonly clients: readonly Client[]
  #next = 0

  constructor(clients: readonly Client[]) {
    this.clients = clients
  }

  /** The clients in turn, so that what is done at once is done with different keys. */
  get client(): Client {
    return this.clients[this.#next++ % this.clients.length]!
  }

  async take(step: Step): Promise<void> {
    const chosen = [...this.webhooks][step.which % Math.max(1, this.webhooks.size)]
    if (step.kind === 'create') await this.create(step)
    else if (step.kind === 'import') await this.import()
    else if (step.kind === 'crowd') await this.crowd()
    else if (step.kind === 'recover') await this.recover()
    else if (chosen) await this.mutate(step, ...chosen)
    await this.check()
  }

  async create({ operation, clients, isOn }: Step) {
    const operationId = `00000000-0000-4000-8000-00000000000${operation}`
    const known = this.operations.get(operationId)
    const isFull = this.webhooks.size >= 5
    const answers = await times(clients, () => this.client.create({ operationId, enabled: isOn }))

    const made = answers.filter(({ status }) => status === 201)
    if (known || isFull) {
      expect(made).toEqual([])
      for (const { status } of answers) expect(status).toBe(known ? 200 : 409)
      return
    }
    expect(made).toHaveLength(1)
    const { webhook, secret } = made[0]!.body
    this.keepSecret(secret)
    this.operations.set(operationId, webhook.id)
    this.webhooks.set(webhook.id, { state: isOn ? 'active' : 'manual', version: 1 })
  }

  async mutate(step: Step, id: string, model: Model) {
    const { kind, clients, isStale } = step
    const version = isStale ? model.version + 1 : model.version
    if (kind === 'fail') return this.fail(id, model)
    if (kind === 'test') return void expect((await this.client.test(id)).status).toBe(202)

    const others = [...this.webhooks.values()].filter((other) => other !== model && isOn(other))
    const isRefused = isStale || (kind === 'activate' && !isOn(model) && others.length >= 5)
    const answers = await times(clients, () => this.send(kind, id, version))

    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(isRefused ? 0 : 1)
    for (const { status } of answers.filter(({ status }) => status !== 200))
      expect(status).toBe(kind === 'delete' && !isStale ? 404 : 409)
    if (isRefused) return

    if (kind === 'delete') {
      this.webhooks.delete(id)
      for (const [operation, made] of this.operations)
        if (made === id) this.operations.delete(operation)
      return
    }
    if (kind === 'rotate') this.keepSecret(done[0]!.body.secret)
    model.version += 1
    if (kind === 'pause' && isOn(model)) model.state = 'manual'
    if (kind === 'activate' && !isOn(model)) model.state = 'active'
  }

  send(kind: string, id: string, version: number) {
    const url = `https://receptor.example/${crypto.randomUUID()}`
    if (kind === 'delete') return this.client.remove(id, version)
    if (kind === 'rotate') return this.client.rotate(id, version)
    if (kind === 'pause') return this.client.edit(id, { version, enabled: false })
    if (kind === 'activate') return this.client.edit(id, { version, enabled: true })
    return this.client.edit(id, kind === 'edit' ? { version, url } : { version })
  }

  /** The tenth consecutive failure of an automatic delivery. */
  async fail(id: string, model: Model) {
    if (!isOn(model)) return
    const { revision } = await readWebhook(id)
    const attempt = {
      subscriptionId: id,
      type: 'automatic',
      status: 'sending',
      attempts: 1,
    } as const
    const row = await seedDelivery({ ...attempt, revision, leaseToken: 'a-token' })
    await changeRows('subscriptions', { consecutiveFailures: 9 }, { id })

    const { now } = this.client.clock
    const claim = {
      id: row,
      token: 'a-token',
      subscriptionId: id,
      type: 'automatic',
      redelivery: null,
      createdAt: now,
    } as const
    const end = { isSent: true, code: 500, errorType: 'http', nextAttemptAt: now } as const
    await env.DB.batch(undeliveredStatements(env.DB, claim, end, now))
    model.state = 'failure'
    model.version += 1
  }

  async import() {
    if (this.webhooks.size > 9) return
    const { accountId } = this.client
    const id = crypto.randomUUID()
    const webhook = { id, accountId, operationId: crypto.randomUUID(), pair: 3, sealed: SEALED }
    const marked = { ...webhook, destination: 'https://v1.example', createdAt: 0, reference: id }
    const once = () => importInheritedWebhooks(env.DB, [marked], this.client.clock.now)
    expect([await once(), await once()]).toEqual([[id], []])
    this.webhooks.set(id, { state: 'inherited', version: 1 })
  }

  /** A change without capacity for it. */
  async crowd() {
    const quote = await seedQuote('usd/blue', 1410, 1460)
    const options = { at: this.client.clock.now, admitted: true, capacity: 0, system: null }
    await env.DB.batch(outboxStatements(env.DB, [{ quote, previous: quote }], options))
    for (const model of this.webhooks.values()) {
      if (model.state !== 'active') continue
      model.state = 'capacity'
      model.version += 1
    }
  }

  async recover() {
    // Recovery waits for what was accepted before.
    await env.DB.prepare(
      `update deliveries set status = 'delivered', resolved_at = created_at`,
    ).run()
    await changeRows('openDeliveries', { outstanding: 0 })
    const fixture = createFixture(() => 204, { capacity: 20_000 })
    fixture.set(this.client.clock.now)
    await fixture.sweep()
    for (const model of this.webhooks.values()) {
      if (model.state !== 'capacity') continue
      model.state = 'active'
      model.version += 1
    }
  }

  keepSecret(secret: string) {
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(this.secrets.has(secret)).toBe(false)
    this.secrets.add(secret)
  }

  async check() {
    const { body } = await this.client.call('GET', WEBHOOKS)
    const seen = new Map<string, Model>()
    for (const { id, state, version, enabled } of body.webhooks) {
      seen.set(id, { state, version })
      expect(enabled).toBe(isOn({ state, version }))
      expect(version).toBeGreaterThanOrEqual(this.versions.get(id) ?? 1)
      this.versions.set(id, version)
    }
    expect(seen).toEqual(this.webhooks)

    const open = (await readDeliveries()).filter(({ status }) =>
      ['pending', 'sending', 'failed'].includes(status),
    )
    expect(await readOutstanding()).toBe(open.length)
    for (const [id, model] of this.webhooks) {
      const syncs = open.filter(
        ({ subscriptionId, type }) => subscriptionId === id && type === 'sync',
      )
      expect(syncs.length).toBeLessThanOrEqual(isOn(model) ? 1 : 0)
    }
    for (const { subscriptionId } of open) expect(this.webhooks.has(subscriptionId)).toBe(true)
  }
}
