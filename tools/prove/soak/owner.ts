import { randomUUID } from 'node:crypto'
import type { JsonAnswer } from './client.ts'
import type { SoakContext } from './context.ts'

interface Webhook {
  id: string
  version: number
  enabled: boolean
  state: string
}

/** Pairs whose value changes in most cycles of the demo market. */
const PAIRS = [
  'USD/MAYORISTA',
  'USD/BOLSA',
  'USD/CCL',
  'USD/CRIPTO',
  'USD/OFICIAL',
  'EUR/OFICIAL',
  'BRL/OFICIAL',
  'CLP/OFICIAL',
  'UYU/OFICIAL',
  'USD/FUTURO',
]

/** What an owner does when nothing of theirs is paused. */
const ACTS = { look: 3, page: 2, test: 4, pause: 1, edit: 2, move: 1, rotate: 2, idle: 1 } as const

type OwnerDeps = Pick<SoakContext, 'request' | 'random' | 'log' | 'acts' | 'fixtures'>

/** A user with an account, a key and five webhooks, who manages them through the public API. */
export class Owner {
  /** Delivery ids of the tests that were accepted. */
  readonly tests: string[] = []
  readonly #deps: OwnerDeps
  readonly #key: string

  constructor(deps: OwnerDeps, key: string) {
    this.#deps = deps
    this.#key = key
  }

  async createWebhooks(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const [currency, origin] = this.#pair()
      const body = {
        operationId: randomUUID(),
        url: this.#url(),
        currency,
        origin,
        ...(this.#deps.random.happens(0.5) && { receiverAuthorization: 'Bearer of-the-receiver' }),
      }
      const created = await this.#request('POST', '', body)
      if (created?.status !== 201) throw new Error(`a webhook was refused: ${created?.status}`)
      this.#noteSecret(created)
    }
  }

  /** One turn of at most two requests: activates a paused webhook, or does something else. */
  async act(): Promise<void> {
    const { random, acts } = this.#deps
    const listed = await this.#request('GET', '')
    const { webhooks = [] } = (listed?.body ?? {}) as { webhooks?: Webhook[] }
    if (webhooks.length === 0) return

    const paused = webhooks.filter(({ enabled }) => !enabled)
    if (paused.length > 0 && random.happens(0.7)) {
      acts.add('activate')
      return void (await this.#edit(random.pick(paused), { enabled: true }))
    }
    const act = random.weighed(ACTS)
    acts.add(act)
    await this.#do(act, random.pick(webhooks))
  }

  async #do(act: keyof typeof ACTS, webhook: Webhook): Promise<void> {
    switch (act) {
      case 'look':
        return void (await this.#request('GET', `/${webhook.id}`))
      case 'page':
        return void (await this.#request('GET', '/deliveries?limit=50'))
      case 'pause':
        return void (await this.#edit(webhook, { enabled: false }))
      case 'edit':
        return void (await this.#edit(webhook, { url: this.#url() }))
      case 'move': {
        const [currency, origin] = this.#pair()
        return void (await this.#edit(webhook, { currency, origin }))
      }
      case 'test': {
        const queued = await this.#request('POST', `/${webhook.id}/test`, {})
        if (queued?.status === 202)
          this.tests.push((queued.body as { deliveryId: string }).deliveryId)
        return
      }
      case 'rotate': {
        const { id, version } = webhook
        const rotated = await this.#request('POST', `/${id}/rotate-secret`, { version })
        if (rotated?.status === 200) this.#noteSecret(rotated)
        else if (!rotated || rotated.status >= 500) this.#deps.log.addUnknownSecret(id)
        return
      }
      case 'idle':
    }
  }

  async #edit({ id, version }: Webhook, changes: object): Promise<JsonAnswer | null> {
    return this.#request('PATCH', `/${id}`, { version, ...changes })
  }

  #noteSecret({ body }: JsonAnswer): void {
    const { webhook, secret } = body as { webhook: Webhook; secret: string }
    this.#deps.log.addSecret(webhook.id, secret)
  }

  async #request(method: string, path: string, body?: object): Promise<JsonAnswer | null> {
    const options = { key: this.#key, ...(body && { body }) }
    return this.#deps.request(method, `/api/v2/webhooks${path}`, options)
  }

  #pair(): [string, string] {
    return this.#deps.random.pick(PAIRS).split('/') as [string, string]
  }

  #url(): string {
    const { random, fixtures } = this.#deps
    return `https://${random.pick(fixtures.hosts)}/hook/${Math.floor(random.between(1, 1e6))}`
  }
}
