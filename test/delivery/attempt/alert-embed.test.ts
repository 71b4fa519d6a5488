import { expect, it } from 'vitest'
import { alertEmbed } from '../../../workers/delivery/attempt/alert-embed.ts'
import { exampleEvent } from '../../../shared/api/alerts.ts'

it.each([
  [
    'a price',
    {},
    [
      ['Compra', '$ 1.485,00'],
      ['Venta', '$ 1.505,00'],
    ],
    'https://cotizaciones.example/usd/blue',
  ],
  [
    'an index',
    { currency: 'ARG', origin: 'RIESGO', buy: 1234, sell: 1234, valueType: 'points' },
    [['Valor', '1.234 puntos']],
    'https://cotizaciones.example/arg/riesgo',
  ],
])('the embed of an alert of %s shows its values and leads to its page', (_, pair, shown, url) => {
  const embed = alertEmbed({ ...exampleEvent, ...pair } as never, 'https://cotizaciones.example')
  expect(embed.fields.map(({ name, value }) => [name, value])).toEqual(shown)
  expect(embed).toMatchObject({ url })
})
