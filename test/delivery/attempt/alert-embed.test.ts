import { expect, it } from 'vitest'
import { alertEmbed } from '../../../workers/delivery/attempt/alert-embed.ts'
import { exampleEvent } from '../../../shared/api/alerts.ts'

const change = {
  ...exampleEvent,
  condition: 'change',
  threshold: 2,
  hysteresis: 0,
  value: 1505,
  base: 1430,
  percent: 5.24,
} as const
const code = { currency: 'USD', origin: 'BLUE' }

/** What the embed of a withdrawal says, with the names of its fields and their values. */
function withdrawn(corrected: object) {
  const event = {
    ...change,
    event: 'alert.withdrawn' as const,
    corrected: { ...code, ...corrected },
  }
  const { description, fields } = alertEmbed(event as never, null)
  return [description, fields.map(({ name, value }) => [name, value])]
}

it.each([
  [
    'the value itself',
    { buy: 1415, sell: 1435 },
    'El valor que la disparó era erróneo y se corrigió.',
    [
      ['Valor erróneo', '$ 1.505,00'],
      ['Valor corregido', '$ 1.435,00'],
      ['En el día', '+5,24 %'],
    ],
  ],
  [
    'the close before',
    { buy: 1480, sell: 1500, isBase: true },
    'El cierre desde el que se midió era erróneo y se corrigió.',
    [
      ['Valor', '$ 1.505,00'],
      ['Cierre corregido', '$ 1.500,00'],
      ['En el día', '+5,24 %'],
    ],
  ],
  [
    'a value that is gone',
    { buy: null, sell: null },
    'El valor que la disparó era erróneo y se corrigió.',
    [
      ['Valor erróneo', '$ 1.505,00'],
      ['En el día', '+5,24 %'],
    ],
  ],
])('the embed of a withdrawal says that %s was wrong', (_, corrected, description, fields) => {
  expect(withdrawn(corrected)).toEqual([description, fields])
})

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
