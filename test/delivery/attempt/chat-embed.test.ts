import { describe, expect, it } from 'vitest'
import { chatEmbed, isChatWebhook } from '../../../workers/delivery/attempt/chat-embed.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { BODY, NOW } from '../../support/webhooks.ts'

const ID = '123456789012345678'

describe('a chat webhook', () => {
  it.each([
    `https://discord.com/api/webhooks/${ID}/aB_-9`,
    `https://discord.com/api/v10/webhooks/${ID}/aB_-9?wait=true&thread_id=1`,
    `https://ptb.discordapp.com/api/v9/webhooks/${ID}/x`,
  ])('is %s', (url) => expect(isChatWebhook(url)).toBe(true))

  it.each([
    `https://discord.com/api/webhooks/${ID}/x/slack`,
    `https://discord.com/api/webhooks/${ID}/x/messages/1`,
    `https://discord.com/api/webhooks/123/x`,
    `https://discord.com/api/v100/webhooks/${ID}/x`,
    `https://discord.com.evil.example/api/webhooks/${ID}/x`,
    `https://evil.example/discord.com/api/webhooks/${ID}/x`,
    `https://x.discord.com/api/webhooks/${ID}/x`,
    `http://discord.com/api/webhooks/${ID}/x`,
  ])('is not %s', (url) => expect(isChatWebhook(url)).toBe(false))
})

const payload = {
  ...(JSON.parse(BODY) as object),
  sell: 1_234_430.5,
  prevSell: 1_234_400,
  changePct: 1.42,
}

/** The embed of a change, with its fields as pairs. */
function embedOf(change: object, publicOrigin: string | null = 'https://cotizaciones.example') {
  const { embeds, ...message } = JSON.parse(
    chatEmbed(JSON.stringify({ ...payload, ...change }), publicOrigin),
  )
  expect([embeds.length, message]).toEqual([1, { allowed_mentions: { parse: [] } }])
  const [{ fields, ...embed }] = embeds
  const named = fields.map(({ name, value }: Record<string, string>) => [name, value])
  return { ...embed, fields: named }
}

const values = [
  ['Compra', '$ 1.410,00'],
  ['Venta', '$ 1.234.430,50'],
]

describe('the embed', () => {
  it.each<[string, object, string, object]>([
    ['a rise', {}, '+1,42 %', { title: 'Dólar Blue', color: 0x2e9e5b }],
    ['a fall', { prevSell: 1_234_500, changePct: -0.5 }, '-0,50 %', { color: 0xd64545 }],
    ['no change', { prevSell: 1_234_430.5, changePct: 0 }, '0,00 %', { color: 0x6b7280 }],
    ['a test', { event: 'manual.trigger' }, '+1,42 %', { title: 'Prueba: Dólar Blue' }],
  ])('of %s', (_, change, percent, expected) => {
    const url = 'https://cotizaciones.example/usd/blue'
    const fields = [...values, ['Variación', percent]]
    expect(embedOf(change)).toMatchObject({ url, fields, ...expected })
  })

  it.each([
    ['EUR', 'OFICIAL', 'money', 1.6, 1.6378, 'Venta', '$ 1,6378'],
    ['EUR', 'OFICIAL', 'money', 1400, 1500.5, 'Venta', '$ 1.500,50'],
    ['USD', 'CCL', 'money', 1500.5, 1500.5, 'Valor', '$ 1.500,50'],
    ['ARG', 'UVA', 'money', 1650.25, 1650.25, 'Valor', '$ 1.650,25'],
    ['ARG', 'RIESGO', 'points', 1234, 1234, 'Valor', '1.234 puntos'],
    ['ARG', 'CER', 'coefficient', 654.3, 654.3, 'Valor', '654,30 puntos'],
  ])(
    '%s %s (%s) of %s and %s has %s: %s',
    (currency, origin, valueType, buy, sell, label, text) => {
      const { fields } = embedOf({ currency, origin, valueType, buy, sell })
      expect(fields).toContainEqual([label, text])
      expect(fields.length).toBe(label === 'Valor' ? 2 : 3)
    },
  )

  it('has no link when no public origin is configured', () => {
    expect(embedOf({}, null)).not.toHaveProperty('url')
  })
})

it('an alert sends an embed to a chat webhook', async () => {
  const { accountId } = await seedAccount()
  const url = 'https://discord.com/api/webhooks/123456789012345678/aB_-9'
  await change({ 'USD/BLUE': 1430 }, NOW)
  await createAlertAt(NOW, accountId, { url })
  const fixture = createFixture()
  fixture.set(NOW + 1)
  await fixture.hint(...(await change({ 'USD/BLUE': 1500 }, NOW + 1)))

  expect(JSON.parse(fixture.posts[0]!.body).embeds).toEqual([
    {
      title: 'Alerta: Dólar Blue (venta)',
      url: 'https://cotiza.example/usd/blue',
      description: 'Avisa cuando llega a $ 1.500,00 o más.',
      color: expect.any(Number),
      fields: [{ name: 'Valor', value: '$ 1.500,00', inline: true }],
      timestamp: new Date(NOW + 1).toISOString(),
      footer: { text: 'USD BLUE' },
    },
  ])
})
