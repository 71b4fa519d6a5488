/** Alerts by e-mail: each tells all that happened since the last, at most ten an hour and account. */
import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import type { NewAlert } from '../../../shared/subscriptions/alerts.ts'
import { seedAccount } from '../../support/accounts.ts'
import { alertContext, change, createAlertAt } from '../../support/alerts.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { NOW } from '../../support/delivery-seeds.ts'
import { readDeliveries } from '../../support/webhooks.ts'
import { readRows } from '../../support/rows.ts'

interface Mail {
  to: string
  subject: string
  text: string
  minute: number
}

const BY_MAIL = { channel: 'email', url: undefined, repeat: true } as const

/** An account with an alert by e-mail on the blue dollar, and a mailbox that may refuse. */
async function open(changes: Partial<NewAlert> = {}) {
  const { accountId } = await seedAccount('ana@example.com')
  await change({ 'USD/BLUE': 1430 }, NOW)
  const id = await createAlertAt(NOW, accountId, { ...BY_MAIL, ...changes })
  const mails: Mail[] = []
  const box = { refuses: false, tries: 0, whileTrying: async () => {} }
  const fixture = createFixture(() => 204, {
    async sendMail(mail) {
      box.tries += 1
      await box.whileTrying()
      if (box.refuses) throw new Error('mailbox full')
      mails.push({ ...mail, minute: (fixture.at() - NOW) / MINUTE_MS })
    },
  })
  return {
    accountId,
    id,
    mails,
    box,
    fixture,
    at: (minute: number) => fixture.set(NOW + minute * MINUTE_MS),
    cross: async (minute: number, value = 1500) => {
      await change({ 'USD/BLUE': 1400 }, NOW + minute * MINUTE_MS - 1000)
      await change({ 'USD/BLUE': value }, NOW + minute * MINUTE_MS)
    },
  }
}

const DAY = 24 * 60

it('is mailed by the next sweep to the account’s address, and makes no delivery', async () => {
  const { id, mails, fixture, at, cross } = await open()
  await cross(5)
  at(6)
  await fixture.sweep()
  await fixture.sweep()

  expect(mails).toEqual([
    {
      to: 'ana@example.com',
      subject: 'Alerta: Dólar Blue (venta)',
      text: expect.stringContaining(id),
      minute: 6,
    },
  ])
  expect(mails[0]!.text).toContain('cuando Dólar Blue (venta) llega a $ 1.500,00 o más.')
  expect(mails[0]!.text).toContain('- 2/3/2026, 12:05: Dólar Blue (venta) a $ 1.500,00.')
  expect(mails[0]!.text).toContain('Si vuelve a pasar dentro de la próxima hora')
  expect(await readDeliveries()).toEqual([])
})

it.each([
  ['https://cotiza.example', (id: string) => `https://cotiza.example/cuenta/alertas/${id}\n`],
  [null, () => 'entrá a tu cuenta, en Alertas.\n'],
])(
  'of an alert that fires once says that it ended and where it is (%s)',
  async (publicOrigin, where) => {
    const { id, mails, fixture, at, cross } = await open({ repeat: false })
    fixture.deps.publicOrigin = publicOrigin
    await cross(5)
    at(6)
    await fixture.sweep()

    expect(mails[0]!.text).toContain(
      `Era para una sola vez y ya terminó. Para activarla de nuevo: ${where(id)}`,
    )
    expect(mails[0]!.text).not.toContain('próxima hora')
  },
)

it('of an hour is told together, and of one sweep alone', async () => {
  const { mails, fixture, at, cross } = await open()
  for (const [minute, value] of [
    [5, 1500],
    [20, 1520],
    [40, 1540],
    [70, 1570],
  ] as const)
    await cross(minute, value)
  for (let minute = 0; minute <= 200; minute += 1) {
    at(minute)
    await Promise.all([fixture.sweep(), fixture.sweep(), fixture.sweep()])
  }

  // The clock of the sweeps starts after all four were recorded.
  expect(mails.map(({ minute }) => minute)).toEqual([5])
  expect(mails[0]!.text.match(/^- .*$/gm)).toHaveLength(4)
})

it('never goes out twice in an hour, whatever happens when', async () => {
  const { mails, fixture, at, cross } = await open()
  for (let minute = 1; minute <= 300; minute += 1) {
    if (minute % 7 === 0) await cross(minute)
    at(minute)
    await fixture.sweep()
  }

  const minutes = mails.map(({ minute }) => minute)
  expect(minutes[0]).toBe(7)
  for (const [index, minute] of minutes.slice(1).entries())
    expect(minute - minutes[index]!).toBeGreaterThanOrEqual(60)
  const told = mails.flatMap(({ text }) => text.match(/^- .*$/gm) ?? [])
  expect(new Set(told).size).toBe(told.length)
  expect(minutes.length).toBe(5)
})

it('that is refused is tried again, ever later, and tells then what it would have told', async () => {
  const { mails, box, fixture, at, cross } = await open()
  box.refuses = true
  await cross(1)
  for (let minute = 1; minute <= 40; minute += 1) {
    at(minute)
    await fixture.sweep()
  }
  expect(box.tries).toBe(3)

  box.refuses = false
  for (let minute = 41; minute <= 200; minute += 1) {
    at(minute)
    await fixture.sweep()
  }
  expect(mails).toMatchObject([{ minute: 106 }])
  expect(mails[0]!.text.match(/^- .*$/gm)).toHaveLength(1)
})

it('does not tell what an edit cancelled, nor does a later one', async () => {
  const { accountId, id, mails, fixture, at, cross } = await open()
  await cross(5)
  at(6)
  await fixture.sweep()
  await cross(20, 1510)
  const edit = { version: 1, threshold: 1550 }
  const edited = await editSubscription(
    alertContext(NOW + 30 * MINUTE_MS),
    alerts,
    { accountId, id },
    edit,
  )
  expect(edited.ok).toBe(true)
  await cross(40, 1560)
  for (const minute of [41, 66, 67, 130]) {
    at(minute)
    await fixture.sweep()
  }

  expect(mails.map(({ minute }) => minute)).toEqual([6, 66])
  expect(mails[1]!.text.match(/^- .*$/gm)).toEqual([
    '- 2/3/2026, 12:40: Dólar Blue (venta) a $ 1.560,00.',
  ])
})

it('is sent for a test at once, and puts off nothing that fires', async () => {
  const { accountId, id, mails, fixture, at, cross } = await open()
  for (const minute of [1, 2]) {
    await alerts.test(alertContext(NOW + minute * MINUTE_MS), { accountId, id })
    at(minute)
    await fixture.sweep()
  }
  await cross(3)
  at(3)
  await fixture.sweep()

  expect(mails.map(({ minute }) => minute)).toEqual([1, 2, 3])
  expect(mails[0]).toMatchObject({ subject: 'Prueba de alerta: Dólar Blue (venta)' })
  expect(mails[0]!.text).toContain('- Prueba: 2/3/2026, 12:00: Dólar Blue (venta) a $ 1.430,00.')
  expect(mails[2]).toMatchObject({ subject: 'Alerta: Dólar Blue (venta)' })
})

it.each([
  ['an edit of the level', { threshold: 1550 }],
  ['a pause', { enabled: false }],
  ['an edit of the channel', { channel: 'webhook', url: 'https://receptor.example/hooks' }],
] as const)(
  'that owes a test still brings it after %s, without what was cancelled',
  async (_, edit) => {
    const { accountId, id, mails, fixture, at, cross } = await open()
    await cross(5)
    at(6)
    await fixture.sweep()
    await cross(10, 1510)
    await alerts.test(alertContext(NOW + 20 * MINUTE_MS), { accountId, id })
    const context = alertContext(NOW + 30 * MINUTE_MS)
    const edited = await editSubscription(
      context,
      alerts,
      { accountId, id },
      { version: 1, ...edit },
    )
    expect(edited.ok).toBe(true)

    for (const minute of [31, 65, 66, 67, 130]) {
      at(minute)
      await fixture.sweep()
    }

    expect(mails.map(({ minute }) => minute)).toEqual([6, 31])
    expect(mails[1]!.subject).toBe('Prueba de alerta: Dólar Blue (venta)')
    expect(mails[1]!.text.match(/^- .*$/gm)).toEqual([
      '- Prueba: 2/3/2026, 12:10: Dólar Blue (venta) a $ 1.510,00.',
    ])
  },
)

it('tells fifty tests, and no more are taken until it was sent', async () => {
  const { accountId, id, mails, fixture, at } = await open()
  const test = async (ms: number) =>
    (await alerts.test(alertContext(NOW + MINUTE_MS + ms), { accountId, id })).ok
  for (let ms = 0; ms < 50; ms += 1) expect(await test(ms)).toBe(true)
  expect(await test(50)).toBe(false)
  expect(await test(49)).toBe(true)

  at(2)
  await fixture.sweep()
  expect(mails[0]!.text.match(/^- .*$/gm)).toHaveLength(50)
  expect(await test(51)).toBe(true)
})

it('that was sent owes no test any more: an edit after it leaves nothing due', async () => {
  const { accountId, id, mails, fixture, at, cross } = await open()
  await alerts.test(alertContext(NOW + MINUTE_MS), { accountId, id })
  at(2)
  await fixture.sweep()
  await cross(5)
  const edit = { version: 1, threshold: 1550 }
  await editSubscription(alertContext(NOW + 10 * MINUTE_MS), alerts, { accountId, id }, edit)
  for (const minute of [11, 61, 62, 63]) {
    at(minute)
    await fixture.sweep()
  }

  expect(mails).toHaveLength(1)
})

it('that owes a test still brings it when the alert, by webhook by then, fires before', async () => {
  const { accountId, id, mails, fixture, at, cross } = await open()
  await cross(5)
  at(6)
  await fixture.sweep()
  await alerts.test(alertContext(NOW + 20 * MINUTE_MS), { accountId, id })
  const edit = { version: 1, channel: 'webhook', url: 'https://receptor.example/hooks' } as const
  await editSubscription(alertContext(NOW + 30 * MINUTE_MS), alerts, { accountId, id }, edit)
  await cross(40)

  at(66)
  await fixture.sweep()

  expect(mails.map(({ subject }) => subject)).toEqual([
    'Alerta: Dólar Blue (venta)',
    'Prueba de alerta: Dólar Blue (venta)',
  ])
})

it.each([
  ['an edit of the level', { threshold: 1550 }],
  ['a pause', { enabled: false }],
  ['an edit of the channel', { channel: 'webhook', url: 'https://receptor.example/hooks' }],
] as const)('that is refused while %s cancels it is not tried again', async (_, edit) => {
  const { accountId, id, mails, box, fixture, at, cross } = await open()
  box.refuses = true
  box.whileTrying = async () => {
    await editSubscription(
      alertContext(NOW + 6 * MINUTE_MS),
      alerts,
      { accountId, id },
      { version: 1, ...edit },
    )
  }
  await cross(5)
  at(6)
  await fixture.sweep()

  box.refuses = false
  for (const minute of [20, 66, 200]) {
    at(minute)
    await fixture.sweep()
  }

  expect([box.tries, mails]).toEqual([1, []])
})

it('of an alert that was edited while another’s was sent tells, once refused, what it fired since', async () => {
  const { accountId, id, mails, box, fixture, at, cross } = await open()
  const { accountId: otherAccount } = await seedAccount('eva@example.com')
  const other = await createAlertAt(NOW, otherAccount, BY_MAIL)
  await alerts.test(alertContext(NOW + MINUTE_MS), { accountId, id })
  await alerts.test(alertContext(NOW + 2 * MINUTE_MS), { accountId: otherAccount, id: other })
  box.whileTrying = async () => {
    box.refuses = box.tries > 1
    if (box.refuses) return
    const context = alertContext(NOW + 3 * MINUTE_MS)
    await editSubscription(
      context,
      alerts,
      { accountId: otherAccount, id: other },
      { version: 1, threshold: 1550 },
    )
    await cross(4, 1560)
  }
  at(5)
  await fixture.sweep()
  expect(box.tries).toBe(2)

  box.whileTrying = async () => {}
  box.refuses = false
  at(20)
  await fixture.sweep()
  expect(mails.at(-1)!.text).toContain(other)
  expect(mails.at(-1)!.text).toContain('- 2/3/2026, 12:04: Dólar Blue (venta) a $ 1.560,00.')
})

it('that tells nothing, for all of it is too old, does not hold up the next', async () => {
  const { mails, box, fixture, at, cross } = await open()
  box.refuses = true
  await cross(5)
  for (let minute = 6; minute < DAY + 5; minute += 30) {
    at(minute)
    await fixture.sweep()
  }
  box.refuses = false
  at(2 * DAY)
  await fixture.sweep()
  expect(mails).toEqual([])

  await cross(2 * DAY + 5)
  at(2 * DAY + 6)
  await fixture.sweep()

  expect(mails).toMatchObject([{ minute: 2 * DAY + 6 }])
  expect(mails[0]!.text.match(/^- .*$/gm)).toHaveLength(1)
})

it('waits where no e-mail can be sent', async () => {
  const { id, cross } = await open()
  await cross(5)
  const fixture = createFixture(() => 204, { sendMail: null })
  fixture.set(NOW + 60 * MINUTE_MS)
  await fixture.sweep()

  const [alert] = await readRows('alerts', { id })
  expect(alert!.mailDueAt).toBe(NOW + 5 * MINUTE_MS)
})

it('goes when the account does, and old firings go after seven days', async () => {
  const { fixture, at, cross } = await open()
  await cross(5)
  at(7 * 24 * 60)
  await fixture.sweep()
  expect(await readRows('alertFirings')).toHaveLength(1)

  at(7 * 24 * 60 + 5)
  await fixture.sweep()
  expect(await readRows('alertFirings')).toEqual([])
})
