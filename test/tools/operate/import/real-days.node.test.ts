import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayEnd, formatArgentine } from '../../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { quotesAsOf } from '../../../../shared/db/quotes/points.ts'
import { numberToPrice, priceToNumber } from '../../../../shared/market/price.ts'
import { openLocal, type Storage } from '../../../../tools/operate/admin/open-local.ts'
import { valueAt } from '../../../../tools/operate/import/merge.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { art } from '../../../support/instant.ts'

const file = (name: string) => `test/fixtures/series/${name}`

const DOLLARS = file('cotizaciones-dolares.json')
const CURRENCIES = file('cotizaciones.json')
const HOURLY = ['02', '09', '12'].map((month) => file(`dolares-hourly-2024-${month}.csv`))
const INDICES = [file('riesgo-pais.json'), file('uva.json'), file('cer.csv')]
const FILES = [DOLLARS, CURRENCIES, ...INDICES, ...HOURLY, file('cotizaciones-changes-2024.csv')]

describe('selected real days, imported', () => {
  const scratch = openScratch()
  let output = ''
  let storage: Storage

  beforeAll(async () => {
    output = await importAll(scratch.path)
    storage = await openLocal(scratch.path)
  })
  afterAll(async () => {
    await storage?.[Symbol.asyncDispose]()
    scratch[Symbol.dispose]()
  })

  it.each<[string, string, number | null, number | null, string]>([
    ['usd/oficial', '2023-12-12 23:59:59.999', 365.5, 400.5, 'the eve of the devaluation of 2023'],
    ['usd/oficial', '2023-12-13 23:59:59.999', 780, 820, 'the devaluation of 2023'],
    ['arg/cer', '2002-02-02 00:00', 1, 1, 'CER at the start of its first day'],
    ['arg/uva', '2016-04-02 00:00', 14.06, 14.06, 'UVA on a Saturday'],
    ['clp/oficial', '2023-10-22 23:59:59.999', 0.3697, 0.3709, 'CLP per 100 made per 1'],
    ['clp/oficial', '2024-09-06 18:35:24.999', 1.0057, 1.0071, 'CLP before its unit changed'],
    ['clp/oficial', '2024-09-06 18:35:25', 1.0119, 1.012, 'CLP after its unit changed'],
    ['usd/blue', '2024-02-09 11:20', 1130, 115, 'an incident, kept as it was'],
  ])('%s at %s is %s / %s: %s', async (key, instant, buy, sell) => {
    const { quotes } = await quotesAsOf(storage.db, [findPairByKey(key)!], art(instant))
    const quote = quotes[0] ?? null
    expect([quote && priceToNumber(quote.buy), quote && priceToNumber(quote.sell)]).toEqual([
      buy,
      sell,
    ])
  })

  it('answer every close before the hourly data as the file has it, weekends too', async () => {
    const rows = json<DollarRow>(DOLLARS)
    for (const [casa, key] of [
      ['oficial', 'usd/oficial'],
      ['blue', 'usd/blue'],
      ['contadoconliqui', 'usd/ccl'],
    ]) {
      const points = await pointsOf(storage.db, key!)
      const daily = rows.filter((row) => row.casa === casa && row.fecha < '2024-01-19')
      expect(daily.length).toBeGreaterThanOrEqual(10)

      for (const { compra, venta, fecha } of daily) {
        const { buy, sell } = valueAt(points, dayEnd(fecha))!
        expect([fecha, buy, sell]).toEqual([
          fecha,
          Math.round(Number((compra * 100).toFixed(6))) * 100,
          Math.round(Number((venta * 100).toFixed(6))) * 100,
        ])
      }
    }
  })

  it('answer every hourly observation as the file has it', async () => {
    const points = await pointsOf(storage.db, 'usd/blue')
    const rows = HOURLY.flatMap(csv).filter((row) => row.casa === 'blue')
    expect(rows.length).toBeGreaterThanOrEqual(80)

    for (const { observed_at, compra, venta } of rows) {
      const { buy, sell } = valueAt(points, Date.parse(observed_at!))!
      expect([observed_at, buy, sell]).toEqual([
        observed_at,
        numberToPrice(Number(compra)),
        numberToPrice(Number(venta)),
      ])
    }
  })

  it('name what was left out, once', () => {
    expect(output.match(/solidario/g)).toHaveLength(1)
    const foreign = json<DollarRow>(DOLLARS).filter(({ casa }) => casa === 'solidario').length
    expect(output).toContain(`${foreign} × casa 'solidario' has no origin here`)
    const twice = json<{ moneda: string }>(CURRENCIES).filter(
      ({ moneda }) => moneda === 'USD',
    ).length
    expect(output).toContain(`${twice} × USD is left to the dollar file`)
  })

  it('list every spike of their sources', () => {
    const listed = output.split('\n').filter((line) => /^  \d{4}-/.test(line))
    const origins: Record<string, string> = { contadoconliqui: 'CCL' }
    const known = csv(file('incidents.csv')).filter(({ source }) => source !== 'ambito-dolares')
    expect(known.length).toBeGreaterThanOrEqual(35)

    const missing = known.filter(({ moneda, casa, observed_at, kind }) => {
      // A move that stayed is none, and CLP's change of unit is corrected.
      if (kind === 'level-shift-or-recovery') return false
      const instant = formatArgentine(Date.parse(observed_at!))
      const pair = `${moneda}/${origins[casa!] ?? casa!.toUpperCase()}`
      return !listed.some((line) => line.includes(` ${pair} `) && line.includes(instant))
    })
    expect(missing).toEqual([])
  })

  it('change nothing when imported again', async () => {
    const before = await dump(storage.db)
    const again = await importAll(scratch.path)
    expect(again).toContain(`0 new points made from ${FILES.length} file(s)`)
    expect(await dump(storage.db)).toEqual(before)
  })
})

/** `npm run admin -- import` as a process of its own, with everything that it prints. */
async function importAll(state: string): Promise<string> {
  return (await runTool('admin', ['import', '--state', state, ...FILES])).output
}

interface DollarRow {
  casa: string
  compra: number
  venta: number
  fecha: string
}

async function dump(db: D1Database) {
  const tables = ['points', 'import_coverage', 'daily_candles']
  const results = await db.batch(tables.map((table) => db.prepare(`select * from ${table}`).bind()))
  return results.map(({ results }) => results)
}

async function pointsOf(db: D1Database, key: string) {
  const { results } = await db
    .prepare('select at, buy, sell from points where pair = ? order by at')
    .bind(findPairByKey(key)!.id)
    .all<{ at: number; buy: number; sell: number }>()
  return results
}

function json<Row>(file: string): Row[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Row[]
}

function csv(file: string): Record<string, string>[] {
  return parse(readFileSync(file), { columns: true, trim: true })
}
