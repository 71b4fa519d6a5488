/**
 * Alerts by e-mail: each e-mail reports all events since the last, at most ten per hour and
 * account. Notices of pauses: sent once, and retried with growing waits when refused.
 */
import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import { alerts, type NewAlert } from '../../../shared/subscriptions/alerts.ts'
import { sweep } from '../../../workers/delivery/sweep/sweep.ts'
import { insertAccount, seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { placeStatement } from '../../../shared/db/installation.ts'
import {
  insertDelivery,
  management,
  NOW,
  readDeliveries,
  seedNotice,
  seedWebhook,
} from '../../support/webhooks.ts'
import { env } from '../../support/env.ts'
import { changeRows, readRows } from '../../support/rows.ts'

const BY_MAIL = { channel: 'email', url: undefined, repeat: true } as const
const BY_WEBHOOK = { channel: 'webhook', url: 'https://receptor.example/hooks' }
const DAY = 24 * 60
const ALERT = 'Alerta: Dólar Blue (venta)'
const TEST = 'Prueba de alerta: Dólar Blue (venta)'

const after = (minute: number) => NOW + minute * MINUTE_MS

/** A mailbox that may refuse, and all tries to reach it. */
function openMailbox() {
  const mails: { to: string; subject: string; text: string; minute: number }[] = []
  const tries: typeof mails = []
  const box = { tries, refuses: (_to: string) => false, whileTrying: async () => {} }
  const fixture = createFixture(() => 204, {
    taskMs: 25_000,
    async sendMail(mail) {
      const tried = { ...mail, minute: (fixture.at() - NOW) / MINUTE_MS }
      tries.push(tried)
      await box.whileTrying()
      if (box.refuses(mail.to)) throw new Error('mailbox full')
      mails.push(tried)
    },
  })
  return {
    mails,
    box,
    fixture,
    async sweepAt(...minutes: number[]) {
      for (const minute of minutes) {
        fixture.set(after(minute))
        await fixture.sweep()
      }
    },
  }
}

/** An account with an alert by e-mail on the blue dollar. */
async function open(changes: Partial<NewAlert> = {}) {
  const { accountId } = await seedAccount('ana@example.com')
  await change({ 'USD/BLUE': 1430 }, NOW)
  const id = await createAlertAt(NOW, accountId, { ...BY_MAIL, ...changes })
  return {
    ...openMailbox(),
    accountId,
    id,
    cross: async (minute: number, value = 1500) => {
      await change({ 'USD/BLUE': 1400 }, after(minute) - 1000)
      await change({ 'USD/BLUE': value }, after(minute))
    },
    async edit(minute: number, edit: object) {
      const [own, of] = [
        { accountId, id },
        { version: 1, ...edit },
      ]
      const edited = await editSubscription(management({ now: after(minute) }), alerts, own, of)
      expect(edited.ok).toBe(true)
    },
    async test(minute: number) {
      const tested = await alerts.test(management({ now: after(minute) }), { accountId, id })
      expect(tested.ok).toBe(true)
    },
  }
}

const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)

const linesOf = ({ text }: { text: string }) => text.match(/^- .*$/gm) ?? []

it('an alert by e-mail is sent by the next sweep to the account’s address, without a delivery', async () => {
  const { id, mails, cross, sweepAt } = await open()
  await cross(5)
  await sweepAt(6, 7)

  expect(mails).toMatchObject([{ to: 'ana@example.com', subject: ALERT, minute: 6 }])
  for (const words of [
    'cuando Dólar Blue (venta) llega a $ 1.500,00 o más.',
    '- 02/03/2026 12:05: Dólar Blue (venta) a $ 1.500,00.',
    'Si vuelve a pasar dentro de la próxima hora',
    `https://cotiza.example/cuenta/alertas/${id}\n`,
  ])
    expect(mails[0]!.text).toContain(words)
  expect(await readDeliveries()).toEqual([])
})

const placed = async (name: string) => placeStatement(env.DB, name).first('delivers')

it('a copied database sends no e-mails, notices or deliveries until the operator allows it', async () => {
  const { mails, fixture, cross, sweepAt } = await open()
  await cross(1)
  await seedNotice('eva@example.com')
  const delivery = await insertDelivery(await seedWebhook())
  expect([await placed('here'), await placed('here'), await placed('there')]).toEqual([1, 1, 0])

  await sweepAt(2, 3)
  await fixture.hint(delivery)
  expect([mails, fixture.posts, fixture.messages]).toEqual([[], [], []])
  expect(await placed('there')).toBe(0)

  await changeRows('installation', { delivers: true })
  expect(await placed('there')).toBe(1)
  await sweepAt(4)
  await fixture.drain()
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['ana@example.com', 'eva@example.com'])
  expect(fixture.posts).toHaveLength(1)
})

it('the e-mail of a one-time alert says that the alert ended and where to find it', async () => {
  const { mails, fixture, cross, sweepAt } = await open({ repeat: false })
  fixture.deps.publicOrigin = null
  await cross(5)
  await sweepAt(6)

  expect(mails[0]!.text).toContain(
    'Era para una sola vez y ya terminó. Para activarla de nuevo: entrá a tu cuenta, en Alertas.\n',
  )
  expect(mails[0]!.text).not.toContain('próxima hora')
})

it('an alert is mailed at most once an hour, whenever it fires', async () => {
  const { mails, cross, sweepAt } = await open()
  for (const minute of every(1, 1, 200)) {
    if (minute % 7 === 0) await cross(minute)
    await Promise.all([sweepAt(minute), sweepAt(minute), sweepAt(minute)])
  }

  const minutes = mails.map(({ minute }) => minute)
  expect(minutes).toEqual([7, 67, 127, 187])
  const told = mails.flatMap(linesOf)
  expect(new Set(told).size).toBe(told.length)
})

it('a refused e-mail is retried each half hour, with the same events', async () => {
  const { mails, box, cross, sweepAt } = await open()
  box.refuses = () => true
  await cross(1)
  await sweepAt(...every(1, 1, 40))
  expect(box.tries).toHaveLength(2)
  expect(await readRows('alertMails')).toMatchObject([{ mails: 0 }])

  box.refuses = () => false
  await sweepAt(...every(1, 41, 200))
  expect(mails).toMatchObject([{ minute: 61 }])
  expect(linesOf(mails[0]!)).toHaveLength(1)
})

it('twenty e-mails are sent per sweep, and more sweeps follow unless one is refused', async () => {
  const { mails, box, cross, fixture } = await open()
  for (let more = 1; more < 100; more += 1)
    await createAlertAt(NOW, (await seedAccount(`ana-${more}@example.com`)).accountId, BY_MAIL)
  for (let more = 0; more < 25; more += 1) await seedNotice(`notice-${more}@example.com`)
  await cross(1)
  // All are due at once, in no order: the first notice that is tried is refused.
  let refused: string | undefined
  box.refuses = (to) => to.startsWith('notice-') && to === (refused ??= to)
  fixture.set(after(1))
  await sweep(fixture.deps)
  expect(mails).toHaveLength(20 + 19)
  box.refuses = (to) => to === mails[0]!.to
  await fixture.sweep()
  expect(mails).toHaveLength(100 + 24)
})

it('alert e-mails are sent even if the task of the notices hangs', async () => {
  const { mails, box, fixture, cross, sweepAt } = await open()
  await seedNotice('eva@example.com')
  await cross(5)
  fixture.deps.taskMs = 50
  box.whileTrying = async () => {
    if (box.tries.length === 1) await new Promise(() => {})
  }
  await sweepAt(6)
  expect(mails.map(({ to }) => to)).toEqual(['ana@example.com'])
})

it('no e-mail reports events that an edit cancelled', async () => {
  const { mails, cross, edit, sweepAt } = await open()
  await cross(5)
  await sweepAt(6)
  await cross(20, 1510)
  await edit(30, { threshold: 1550 })
  await cross(40, 1560)
  await sweepAt(41, 66, 67, 130)

  expect(mails.map(({ minute }) => minute)).toEqual([6, 66])
  expect(linesOf(mails[1]!)).toEqual(['- 02/03/2026 12:40: Dólar Blue (venta) a $ 1.560,00.'])
})

it('a test is mailed at once and does not delay a firing, and an edit cancels due firings', async () => {
  const { mails, cross, edit, test, sweepAt } = await open()
  for (const minute of [1, 2]) {
    await test(minute)
    await sweepAt(minute)
  }
  await cross(3)
  await sweepAt(3)
  await cross(5)
  await edit(10, { threshold: 1550 })
  expect(await readRows('alerts')).toMatchObject([{ mailDueAt: null }])
  await sweepAt(11, 64)

  expect(mails).toMatchObject([
    { minute: 1, subject: TEST },
    { minute: 2, subject: TEST },
    { minute: 3, subject: ALERT },
  ])
  expect(linesOf(mails[0]!)).toEqual([
    '- Prueba: 02/03/2026 12:00: Dólar Blue (venta) a $ 1.430,00.',
  ])
})

it('a test is still mailed when the alert was changed to a webhook and fired meanwhile', async () => {
  const { mails, cross, edit, test, sweepAt } = await open()
  await cross(5)
  await sweepAt(6)
  await test(20)
  await edit(30, BY_WEBHOOK)
  await cross(40)
  await sweepAt(66)
  expect(mails).toMatchObject([{ subject: ALERT }, { subject: TEST }])
})

it('a refused e-mail is not retried when an edit cancelled its events, and delays no new event', async () => {
  const { mails, box, cross, edit, sweepAt } = await open()
  box.refuses = () => true
  box.whileTrying = () => edit(6, { threshold: 1550 })
  await cross(5)
  await sweepAt(6)
  box.refuses = () => false
  box.whileTrying = async () => {}
  await sweepAt(20)
  await cross(40, 1560)
  await sweepAt(40, 66, 200)
  expect([box.tries.length, mails]).toMatchObject([2, [{ minute: 40 }]])
  expect(linesOf(mails[0]!)).toHaveLength(1)
})

it('an event refused for a day is dropped and logged, the alert shows this, and the next e-mail is not delayed', async () => {
  const { mails, box, id, cross, sweepAt } = await open()
  const webhook = await seedNotice('eva@example.com')
  const logged = vi.spyOn(console, 'log')
  box.refuses = () => true
  await cross(5)
  await sweepAt(...every(5, 5, DAY + 5))

  const triesAt = (mailbox: string) =>
    box.tries.flatMap(({ to, minute }) => (to === mailbox ? [minute] : []))
  expect(triesAt('eva@example.com')).toEqual(every(30, 5, DAY - 25))
  expect(triesAt('ana@example.com')).toEqual(every(30, 5, DAY - 25))
  const dropped = logged.mock.calls
    .map(([line]) => String(line))
    .filter((line) => /dropped/.test(line))
  expect(dropped).toEqual([
    expect.stringMatching(`"notice_dropped".*${webhook}`),
    expect.stringMatching(`"alert_mail_dropped".*${id}`),
  ])
  const [alert] = await readRows('alerts', { id })
  expect(alert!.mailDroppedAt).toBe(after(DAY + 5))

  box.refuses = () => false
  await cross(DAY + 10)
  await sweepAt(DAY + 11)
  expect(mails).toMatchObject([{ minute: DAY + 11 }])
  expect(linesOf(mails[0]!)).toHaveLength(1)
})

it('where no e-mail is configured, alert e-mails and notices wait, and events are kept for a week', async () => {
  const { cross, fixture, sweepAt } = await open()
  await seedNotice('eva@example.com')
  await cross(5)
  fixture.deps.sendMail = null
  await sweepAt(60)
  expect(await readRows('alerts')).toMatchObject([{ mailDueAt: after(5) }])
  expect(await readRows('notices')).toHaveLength(1)
  await cross(6 + 7 * DAY)
  expect(await readRows('alertFirings')).toMatchObject([{ at: after(6 + 7 * DAY) }])
})

/** Makes an alert at a minute, and tests it. */
async function tested(accountId: string, minute: number) {
  const id = await createAlertAt(after(minute), accountId, BY_MAIL)
  expect((await alerts.test(management({ now: after(minute) }), { accountId, id })).ok).toBe(true)
  return { id, accountId, version: 1 }
}

it('after ten e-mails in an hour the other events are sent in one e-mail in the next hour', async () => {
  const { accountId, mails, sweepAt } = await open()
  const { accountId: other } = await seedAccount('eva@example.com')
  for (const minute of every(1, 0, 13)) {
    await tested(accountId, minute)
    await sweepAt(minute)
  }
  await tested(other, 14)
  await sweepAt(...every(1, 14, 180))

  const [last, ...rest] = mails.filter(({ to }) => to === 'ana@example.com').toReversed()
  expect(rest).toHaveLength(10)
  expect(last!.minute).toBe(60)
  expect(linesOf(last!)).toHaveLength(4)
  // Another account does not wait for any of these.
  expect(mails.filter(({ to }) => to === 'eva@example.com')).toMatchObject([{ minute: 14 }])
})

it('alerts that fire together are reported in one e-mail', async () => {
  const { accountId, id, mails, cross, sweepAt } = await open()
  const other = await createAlertAt(NOW, accountId, { ...BY_MAIL, threshold: 1450 })
  await cross(1)
  await sweepAt(1)
  expect(mails).toHaveLength(1)
  for (const one of [id, other]) expect(mails[0]!.text).toContain(`Alerta: ${one}`)
})

it.each([
  ['webhook', 'Pausamos tu webhook de Dólar Blue', '/api/v2/webhooks', '/cuenta/webhooks'],
  ['alert', 'Pausamos tu alerta de Dólar Blue', '/api/v2/alerts', '/cuenta/alertas'],
] as const)(
  'the notice of a %s is sent once, in Spanish, with the masked destination, the last error and where to activate it',
  async (kind, subject, path, page) => {
    const id = await seedWebhook({ kind, accountId: 'ana', consecutiveFailures: 9 })
    await insertAccount('ana', 'ana@example.com')
    await createFixture(() => 410).hint(await insertDelivery(id))
    const { box, fixture } = openMailbox()
    await Promise.all(Array.from({ length: 5 }, () => fixture.sweep()))
    await fixture.sweep()

    expect(box.tries).toMatchObject([{ to: 'ana@example.com', subject }])
    const [{ text } = { text: '' }] = box.tries
    const host = 'https://cotiza.example'
    for (const words of [
      `https://${id}.example.com/***`,
      'Último error: el receptor no respondió 2xx (HTTP 410)',
      `${host}${page}/${id}\n`,
      `PATCH ${host}${path}/${id}\n`,
      `GET ${host}${path}/${id}.`,
    ])
      expect(text).toContain(words)
    const missed = `POST ${host}${path}/${id}/redeliver\n  {"since": "…"}\n\n  GET ${host}/api/v2/usd/blue/history?from=`
    expect(text.includes(missed)).toBe(kind === 'webhook')
    expect(text).not.toContain('hidden')
  },
)

it('twenty notices that are always refused do not delay the new ones', async () => {
  for (let count = 0; count < 20; count += 1) await seedNotice(`refuses-${count}@example.com`)
  const { mails, box, sweepAt } = openMailbox()
  box.refuses = (to) => to.startsWith('refuses')
  await sweepAt(0)
  expect(box.tries).toHaveLength(20)

  const minutes = every(1, 1, 30)
  for (const minute of minutes) {
    await seedNotice(`well-${minute}@example.com`, after(minute))
    await sweepAt(minute)
  }
  expect(mails.map(({ to, minute }) => [to, minute])).toEqual(
    minutes.map((minute) => [`well-${minute}@example.com`, minute]),
  )
})

const setState = (id: string, state: 'active' | 'manual') =>
  changeRows('subscriptions', { state }, { id })

it('no notice is sent for a webhook activated meanwhile, and a new notice is sent when it fails again', async () => {
  for (const state of ['active', 'manual'] as const)
    await setState(await seedNotice(`${state}@example.com`), state)
  await seedNotice('paused@example.com', NOW + 1)
  const meanwhile = await seedNotice('meanwhile@example.com', NOW + 2)
  const { mails, box, sweepAt } = openMailbox()
  box.whileTrying = () => setState(meanwhile, 'active')
  await sweepAt(1)
  expect(mails.map(({ to }) => to)).toEqual(['paused@example.com'])

  await changeRows('subscriptions', { consecutiveFailures: 9 }, { id: meanwhile })
  await createFixture(() => 500).hint(await insertDelivery(meanwhile))
  await sweepAt(2, 3)
  expect(mails.map(({ to }) => to)).toEqual(['paused@example.com', 'meanwhile@example.com'])
})
