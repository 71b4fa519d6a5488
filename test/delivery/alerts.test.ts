/** Alerts go out through the engine of webhooks. */
import { expect, it } from 'vitest'
import { seedAccount } from '../support/accounts.ts'
import { change, createAlertAt, readAlert } from '../support/alerts.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { NOW, readDeliveries, readOutstanding } from '../support/webhooks.ts'

const MINUTE = 60_000

async function open(answer: number, changes: Parameters<typeof createAlertAt>[2] = {}) {
  const { accountId } = await seedAccount()
  await change({ 'USD/BLUE': 1430 }, NOW)
  const id = await createAlertAt(NOW, accountId, { repeat: true, ...changes })
  const mails: { subject: string; text: string }[] = []
  const sendMail = async (mail: { subject: string; text: string }) => void mails.push(mail)
  const fixture = createFixture(() => answer, { sendMail })
  return { accountId, id, fixture, mails }
}

it('a chat webhook gets an embed of it', async () => {
  const url = 'https://discord.com/api/webhooks/123456789012345678/aB_-9'
  const { fixture } = await open(204, { url })
  const ids = await change({ 'USD/BLUE': 1500 }, NOW + 1)
  fixture.set(NOW + 1)
  await fixture.hint(...ids)

  const { embeds } = JSON.parse(fixture.posts[0]!.body)
  expect(embeds).toEqual([
    {
      title: 'Alerta: Dólar Blue (venta)',
      url: 'https://cotiza.example/usd/blue',
      description: 'Avisa cuando llega a $ 1.500,00 o más.',
      color: expect.any(Number),
      fields: [
        { name: 'Compra', value: '$ 1.500,00', inline: true },
        { name: 'Venta', value: '$ 1.500,00', inline: true },
      ],
      timestamp: new Date(NOW + 1).toISOString(),
      footer: { text: 'USD BLUE' },
    },
  ])
})

it('ten failed attempts pause it, cancel what waits and are told by e-mail, once', async () => {
  const { accountId, id, fixture, mails } = await open(500)
  for (let cycle = 0; cycle < 4; cycle += 1) {
    await change({ 'USD/BLUE': 1500 }, NOW + 2 * cycle * MINUTE + 1)
    await change({ 'USD/BLUE': 1400 }, NOW + 2 * cycle * MINUTE + 2)
  }
  for (let minute = 0; minute < 180; minute += 1) {
    fixture.set(NOW + minute * MINUTE)
    await fixture.sweep()
    await fixture.drain()
  }

  expect(fixture.posts).toHaveLength(10)
  expect(await readAlert(accountId, id, NOW)).toMatchObject({
    state: 'failure',
    enabled: false,
    version: 2,
  })
  expect(mails).toMatchObject([{ subject: 'Pausamos tu alerta de Dólar Blue' }])
  expect(mails[0]!.text).toContain(`PATCH /api/v2/alerts/${id}`)
  expect(await readOutstanding()).toBe(0)
  await change({ 'USD/BLUE': 1500 }, NOW + 181 * MINUTE)
  expect((await readDeliveries()).every(({ status }) => status !== 'pending')).toBe(true)
})
