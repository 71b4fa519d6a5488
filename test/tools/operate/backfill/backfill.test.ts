/** The backfill from archives in their real formats. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { argentineDay, type Day, DAY_MS, dayEnd } from '../../../../shared/argentine-time.ts'
import {
  findPairByKey,
  type Pair,
  pairById,
  type PairKey,
  pairKey,
} from '../../../../shared/market/catalog.ts'
import { isBankDay } from '../../../../shared/market/holidays.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { aroundDatabase } from '../../../../shared/db/around.ts'
import { setModeStatement, readMode } from '../../../../shared/db/quotes/service-mode.ts'
import type { AdminContext } from '../../../../tools/operate/admin/command.ts'
import { SERIES } from '../../../../tools/operate/backfill/archives.ts'
import { backfill, type BackfillOptions } from '../../../../tools/operate/backfill/backfill.ts'
import { fetchDocuments } from '../../../../tools/operate/backfill/fetch-documents.ts'
import { daysFrom } from '../../../../tools/operate/demo-market/documents.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import { outputOf, runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import { emptyTables, readRows } from '../../../support/rows.ts'

const BASE = 'http://archives.test'
const now = dayEnd('2026-11-20') - 1
const today = argentineDay(now)
const from = '2025-10-01'

/** The requested addresses so far, `HOST/PATH?QUERY`. */
const asked: string[] = []
/** Another answer for an address: a status, a text or a document. */
let instead: (address: string) => number | string | object | null

beforeEach(() => {
  asked.length = 0
  instead = () => null
  vi.stubGlobal('fetch', async (url: string) => {
    const address = url.slice(BASE.length + 1)
    asked.push(address)
    const answer = instead(address) ?? archiveAt(address)
    if (typeof answer === 'number') return new Response(null, { status: answer })
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** The document of an archive. Its values change every day. */
function archiveAt(address: string): object {
  const [first = '2011-01-03', last = today] = address.match(/\d{4}-\d\d-\d\d/g) ?? []
  const days = daysFrom(first, last < today ? last : today)
  const values = days.map((fecha) => ({ fecha, valor: valueOn(fecha) }))
  const [, id] = /Monetarias\/(\d+)/.exec(address) ?? []
  if (id !== undefined) return variable(Number(id), values)

  const [, code] = /Cotizaciones\/([A-Z]{3})/.exec(address) ?? []
  if (code !== undefined)
    return closingRates(
      values.map(({ fecha, valor }) => ({
        fecha,
        rates: isBankDay(fecha) ? [rate(code, valor, 1.1)] : [],
      })),
    )
  if (!address.endsWith('dolares')) return values
  return values.flatMap(({ fecha, valor }) =>
    CASAS.map((casa) => ({ casa, compra: valor - 20, venta: valor, fecha })),
  )
}

const valueOn = (day: Day) => 1000 + ((Date.parse(day) / DAY_MS) % 97)

const CASAS = ['blue', 'oficial', 'mayorista', 'contadoconliqui', 'bolsa', 'tarjeta', 'cripto']

/** The BCRA's document of a variable; `count` is the number of rows that it should have. */
function variable(
  idVariable: number,
  detalle: readonly { fecha: Day; valor: number }[],
  count = detalle.length,
) {
  return { metadata: { resultset: { count } }, results: [{ idVariable, detalle }] }
}

const rate = (
  codigoMoneda: string,
  tipoCotizacion: number,
  tipoPase: number,
  descripcion = codigoMoneda,
) => ({ codigoMoneda, descripcion, tipoPase, tipoCotizacion })

/** The BCRA's closing rates of a currency; a day without business has none. */
function closingRates(
  days: readonly { fecha: Day | null; rates?: ReturnType<typeof rate>[] }[],
  count = days.length,
) {
  const results = days.map(({ fecha, rates = [] }) => ({ fecha, detalle: rates }))
  return { metadata: { resultset: { count } }, results }
}

/** Runs a backfill, and interrupts it after this many reads and writes. */
function run(options: BackfillOptions, steps = Infinity, get = fetchDocuments({ base: BASE })) {
  let left = steps
  const db = aroundDatabase(env.DB, async (call) => {
    if (left-- <= 0) throw new Error('cut short')
    return call()
  })
  return backfill({ db, get, now: () => now }, options)
}

const stored = async () => [await readRows('points'), await readRows('importCoverage')] as const

const pairsOf = (...keys: PairKey[]): Pair[] => keys.map((key) => findPairByKey(key)!)

it('gives the same points whether it runs once or is interrupted anywhere, again and again', async () => {
  await run({ from })
  const once = await stored()
  expect(once[0].length).toBeGreaterThan(3000)
  // A document with several series is requested once, and a day that is not over has no value.
  const { length: requests } = asked
  expect(new Set(asked).size).toBe(requests)
  expect(once[0].filter(({ at }) => at > now)).toEqual([])

  await emptyTables('points', 'importCoverage', 'dailyCandles')
  asked.length = 0
  const get = fetchDocuments({ base: BASE })
  for (const steps of [7, 31, 2, 19, 12, 5])
    await expect(run({ from }, steps, get)).rejects.toThrow('cut short')
  await run({ from }, Infinity, get)
  expect(await stored()).toEqual(once)
  // Days that were imported before the interruption are not requested again.
  expect(asked.length).toBeLessThan(requests + 12)

  asked.length = 0
  expect(await run({ from })).toEqual({ filled: [], failures: [] })
  expect(asked).toEqual([])
})

it('retries temporary failures, names the series that fail, and continues with the others', async () => {
  let times = 0
  instead = (address) => {
    if (address.includes('riesgo-pais')) return times++ < 2 ? 503 : null
    if (address.includes('Monetarias/30')) return '<html>'
    return address.includes('Cotizaciones') ? 400 : null
  }
  const pairs = pairsOf('ARG/CER', 'CLP/OFICIAL', 'UYU/OFICIAL', 'ARG/RIESGO')
  const { failures, filled } = await run({ from: '2026-10-01', pairs })
  expect(filled.map(({ pair }) => pairKey(pair))).toEqual(['ARG/RIESGO'])
  expect(failures.map(({ pair, reason }) => `${pairKey(pair)}: ${reason}`)).toEqual([
    'ARG/CER: api.bcra.gob.ar answered in another shape',
    'CLP/OFICIAL: api.bcra.gob.ar answered 400',
    'UYU/OFICIAL: api.bcra.gob.ar answered 400',
  ])
})

it.each<[string, PairKey, object]>([
  ['another variable', 'ARG/CER', variable(5, [])],
  ['a variable cut short', 'ARG/CER', variable(30, [{ fecha: '2026-09-25', valor: 1 }], 3001)],
  [
    'another currency',
    'EUR/OFICIAL',
    closingRates([{ fecha: '2026-09-24', rates: [rate('USD', 1519.5, 0)] }]),
  ],
  ['a currency cut short', 'EUR/OFICIAL', closingRates([], 1001)],
])('refuses %s', async (_, key, document) => {
  const read = SERIES[key]![0]!.read(async () => JSON.stringify(document), from, from)
  await expect(read).rejects.toThrow()
})

it('takes up to ten days without a row as an unchanged value', async () => {
  const pairs = pairsOf('USD/MAYORISTA')
  const days = ['2026-09-01', '2026-09-02', '2026-09-13', '2026-09-28']
  const rows = days.map((fecha) => ({ fecha, valor: 1500 }))
  instead = () => variable(5, rows)
  const month = { from: '2026-09-01', to: '2026-09-30', pairs }
  await run(month)
  await run(month)
  expect(asked[1]).toContain('desde=2026-09-14&hasta=2026-09-30')

  const format = { source: 'import:csv-daily', kind: 'daily' } as const
  for (const [day, wins] of [
    ['2026-09-05', { made: 0, conflicts: 1 }],
    // And the value after it is a change again.
    ['2026-09-20', { made: 2, conflicts: 0 }],
  ] as const) {
    const rows = [{ at: dayEnd(day), buy: 7, sell: 7 }]
    expect(await importSeries(env.DB, format, { pair: pairs[0]!, rows })).toMatchObject(wins)
  }
})

it('converts prices to one unit, and computes the blue euro with the dollar of its day', async () => {
  const dollars = [
    { casa: 'oficial', compra: 1400, venta: 1420, fecha: '2026-03-02' },
    { casa: 'blue', compra: 1500, venta: 1520, fecha: '2026-03-02' },
    { casa: 'blue', compra: null, venta: 1530, fecha: '2026-03-03' },
  ]
  const rates: Record<string, object> = {
    EUR: closingRates([
      { fecha: null },
      { fecha: '2026-03-02', rates: [rate('EUR', 1612, 1.156)] },
      { fecha: '2026-03-03', rates: [rate('EUR', 1600, 0), rate('EUR', 1600, 0)] },
      { fecha: '2026-03-04', rates: [rate('EUR', 1590, 1.2)] },
    ]),
    CLP: closingRates([
      { fecha: '2026-03-02', rates: [rate('CLP', 1493.186, 1, 'CLP (C/1.000 UNIDADES)')] },
      { fecha: '2026-03-03', rates: [rate('CLP', 150, 1, 'CLP (c/ 100 unidades)')] },
    ]),
  }
  instead = (address) => rates[/Cotizaciones\/([A-Z]{3})/.exec(address)?.[1] ?? ''] ?? dollars
  const pairs = pairsOf('USD/BLUE', 'EUR/OFICIAL', 'EUR/BLUE', 'CLP/OFICIAL')
  await run({ from: '2026-03-01', to: '2026-03-04', pairs })
  const lines = (await readRows('points')).map(({ pair, at, buy, sell, source }) => {
    const prices = [buy, sell].map(priceToNumber)
    return [argentineDay(at), pairKey(pairById(pair)!), ...prices, source].join(' ')
  })
  expect(lines).toEqual([
    '2026-03-02 USD/BLUE 1500 1520 import:argentinadatos-dolares',
    '2026-03-02 EUR/OFICIAL 1612 1612 import:bcra-currencies',
    '2026-03-03 EUR/OFICIAL 1600 1600 import:bcra-currencies',
    '2026-03-04 EUR/OFICIAL 1590 1590 import:bcra-currencies',
    '2026-03-02 EUR/BLUE 1734 1757.12 import:bcra-currencies',
    '2026-03-02 CLP/OFICIAL 1.4932 1.4932 import:bcra-currencies',
    '2026-03-03 CLP/OFICIAL 1.5 1.5 import:bcra-currencies',
  ])
})

it('requests whole years, as many as fit in one answer', async () => {
  const pairs = pairsOf('EUR/OFICIAL', 'ARG/CER')
  await run({ from: '2006-03-05', to: '2008-01-10', pairs, dryRun: true })
  expect(asked.map((url) => url.match(/\d{4}-\d\d-\d\d/g)!.join(' to '))).toEqual([
    '2006-03-05 to 2006-12-31',
    '2007-01-01 to 2007-12-31',
    '2008-01-01 to 2008-01-10',
    '2006-03-05 to 2007-12-31',
    '2008-01-01 to 2008-01-10',
  ])
  // A dry run.
  expect(await readRows('points')).toEqual([])
})

it('the command prints each pair’s result, and sets the state’s mode', async () => {
  const words = ['backfill', 'usd/blue', 'usd/bna', '--from', '2026-01-01', '--upstream', BASE]
  expect(await runAdmin({ db: env.DB, kv: env.BOARD }, ...words)).toEqual([
    expect.stringMatching(/^ +pair +rows +points made +removed/),
    expect.stringMatching(/^ +USD\/BLUE +60 +60 +0 .*2026-01-01 +2026-03-01$/),
    expect.stringMatching(/^ +total +60/),
    'no archive has: USD/BNA',
  ])
  // So that the demo is never shown on these values.
  expect(await readMode(env.DB)).toBe('upstream')
})

it('stops requesting a host that does not answer, and fails', async () => {
  instead = () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  }
  const context = { db: env.DB, kv: env.BOARD }
  const output = await outputOf(context, 'backfill', 'usd/blue', 'usd/ccl', '--upstream', BASE)
  const reason = 'not fetched: api.argentinadatos.com does not answer (ECONNREFUSED)'
  expect(output.split('\n').slice(-3)).toEqual([
    `USD/BLUE ${reason}`,
    `USD/CCL ${reason}`,
    'error: 2 series were not fetched: run the command again later',
  ])
  expect(asked).toHaveLength(3)
})

it.each([
  [['usd/none'], 'no pair usd/none in the catalogue'],
  [['--from', '2024-02-30'], '--from needs a day, YYYY-MM-DD'],
  [['--from', '2024-02-02', '--to', '2024-02-01'], '--from is after --to'],
  [['--upstream', 'file:///x'], '--upstream needs an http or https URL'],
])('refuses %s before it changes anything', async (words, message) => {
  await expect(runAdmin({} as AdminContext, 'backfill', ...words)).rejects.toThrow(message)
})

it.each([
  ['live', ['--upstream', BASE], 'upstream'],
  ['demo', [], 'live'],
] as const)('accepts no other mode for a state of mode %s: %j', async (mode, words, other) => {
  await setModeStatement(env.DB, mode).run()
  await expect(runAdmin({ db: env.DB, kv: env.BOARD }, 'backfill', ...words)).rejects.toThrow(
    `this state is of mode ${mode} and takes no values of mode ${other}`,
  )
})
