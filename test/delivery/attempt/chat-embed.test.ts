import { describe, expect, it } from 'vitest'
import { chatEmbed, isChatWebhook } from '../../../workers/delivery/attempt/chat-embed.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { NOW } from '../../support/webhooks.ts'

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
  event: 'rate.updated',
  currency: 'USD',
  origin: 'BLUE',
  buy: 1410,
  sell: 1_234_430.5,
  prevBuy: 1400,
  prevSell: 1_234_400,
  changePct: 1.42,
  valueType: 'money',
  updatedAt: '2026-03-02T15:00:00.000Z',
  timestamp: '2026-03-02T15:00:01.000Z',
}

function embedOf(change: object) {
  const { embeds, allowed_mentions } = JSON.parse(
    chatEmbed(JSON.stringify({ ...payload, ...change }), 'https://cotizaciones.example'),
  )
  expect(embeds).toHaveLength(1)
  expect(allowed_mentions).toEqual({ parse: [] })
  return embeds[0]
}

function fieldsOf(change: object) {
  return embedOf(change).fields.map(({ name, value }: { name: string; value: string }) => [
    name,
    value,
  ])
}

describe('the embed', () => {
  it('shows money with $ and Argentine numbers', () => {
    expect(fieldsOf({})).toEqual([
      ['Compra', '$ 1.410,00'],
      ['Venta', '$ 1.234.430,50'],
      ['Variación', '+1,42 %'],
    ])
  })

  it.each([
    ['EUR', 'OFICIAL', 'money', 1.6378, 'Venta', '$ 1,6378'],
    ['EUR', 'OFICIAL', 'money', 1500.5, 'Venta', '$ 1.500,50'],
    ['ARG', 'UVA', 'money', 1650.25, 'Valor', '$ 1.650,25'],
    ['ARG', 'RIESGO', 'points', 1234, 'Valor', '1.234 puntos'],
    ['ARG', 'CER', 'coefficient', 654.3, 'Valor', '654,30 puntos'],
  ])('%s %s (%s) %s is %s: %s', (currency, origin, valueType, value, label, text) => {
    const fields = fieldsOf({ currency, origin, valueType, buy: value, sell: value })
    expect(fields).toContainEqual([label, text])
    expect(fields.length).toBe(label === 'Valor' ? 2 : 3)
  })

  it('leads to the page of the pair, where we have a public host', () => {
    expect(embedOf({}).url).toBe('https://cotizaciones.example/usd/blue')
    const { embeds } = JSON.parse(chatEmbed(JSON.stringify(payload), null))
    expect(embeds[0]).not.toHaveProperty('url')
  })

  it('is coloured by direction', () => {
    const colors = [1_234_400, 1_234_430.5, 1_234_500].map(
      (prevSell) => embedOf({ prevSell }).color,
    )
    expect(new Set(colors).size).toBe(3)
  })

  it('shows a fall with its sign, and no change without one', () => {
    expect(fieldsOf({ changePct: -0.5 })).toContainEqual(['Variación', '-0,50 %'])
    expect(fieldsOf({ changePct: 0 })).toContainEqual(['Variación', '0,00 %'])
  })

  it('says that a test is one', () => {
    expect(embedOf({ event: 'manual.trigger' }).title).toBe('Prueba: Dólar Blue')
  })
})

it('is what a chat webhook gets of an alert', async () => {
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
      fields: [
        { name: 'Compra', value: '$ 1.500,00', inline: true },
        { name: 'Venta', value: '$ 1.500,00', inline: true },
      ],
      timestamp: new Date(NOW + 1).toISOString(),
      footer: { text: 'USD BLUE' },
    },
  ])
})
