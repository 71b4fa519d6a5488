import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  formatArgentine,
} from '../../../../shared/argentine-time.ts'
import { closesKey, parseCloses, parseRecent, RECENT_KEY } from '../../../../shared/board/charts.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { openOperator } from '../../../support/operator.ts'
import { openRecordedMarket, type RecordedMarket } from '../../../support/recorded-market.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'

/** What the sources say from the first live cycle on. */
const documents = {
  'mercados.ambito.com/dolar/informal/variacion':
    '{"compra":"1530,00","venta":"1550,00","fecha":"21/08/2026 - 18:55"}',
  'mercados.ambito.com/dolarcripto/variacion': '{}',
  'dolarapi.com/v1/cotizaciones':
    '[{"moneda":"CLP","casa":"oficial","compra":1.6378,"venta":1.6379,"fechaActualizacion":"2026-08-21T17:10:00.000Z"}]',
  'mercados.ambito.com//riesgopais/variacion': '{}',
  'www.bna.com.ar/Personas': `<div id="billetes"><table><tr><th class="fechaCot">21/8/2026</th></tr>
<tr><td class="tit">Dolar U.S.A</td><td>1495,00</td><td>1545,00</td></tr></table></div>
<div id="divisas"><table><tr><td class="tit">Dolar U.S.A</td><td>1515.5000</td><td>1524.5000</td></tr></table></div>`,
}

const state = mkdtempSync(join(tmpdir(), 'cotizaciones-import-'))
const today = argentineDay(Date.now())
const day = (ago: number): Day => addDays(today, -ago)

const row = (casa: string, ago: number, compra: number, venta: number) => ({
  casa,
  compra,
  venta,
  fecha: day(ago),
})

let market: RecordedMarket
let service: Service
let imported: string
let closesBefore: number | undefined
let recentBefore: number | undefined

beforeAll(async () => {
  const file = join(state, 'dolares.json')
  writeFileSync(
    file,
    JSON.stringify([
      row('blue', 3, 1500, 1520),
      row('blue', 1, 1520, 1540),
      // The wholesale dollar has not moved since.
      row('mayorista', 2, 1500.5, 1510.5),
      row('mayorista', 1, 1515.5, 1524.5),
      // Half of what the card dollar is now, and fresh: a step that a fault explains better.
      row('tarjeta', 1, 900, 1000),
    ]),
  )
  {
    await using operator = await openOperator(state)
    const { kv } = operator
    imported = await operator.admin('import', file)
    const blue = findPairByKey('usd/blue')!
    closesBefore = parseCloses(await kv.get(closesKey(blue)))?.closes.length
    recentBefore = parseRecent(await kv.get(RECENT_KEY))?.points['USD/BLUE']?.length
  }
  market = await openRecordedMarket(documents)
  service = await startService(['--upstream', market.url], { stateDir: state })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await market?.[Symbol.asyncDispose]()
  rmSync(state, { recursive: true, force: true })
})

const json = async (path: string) => (await (await service.get(path)).json()) as any

it('an import draws the charts at its end, before any cycle', () => {
  expect(imported).toContain('new points made')
  expect({ closesBefore, recentBefore }).toEqual({ closesBefore: 2, recentBefore: 2 })
})

it('the first live cycle measures a change from the imported close', async () => {
  expect((await json('/api/v2/usd/blue')).change).toEqual({
    amount: 10,
    percent: 0.65,
    referenceValue: 1540,
  })
})

it('it makes no point of a value that the import has', async () => {
  expect(await json('/api/v2/usd/mayorista')).toMatchObject({
    sell: 1524.5,
    updatedAt: formatArgentine(dayEnd(day(1))),
    change: { amount: 0, percent: 0, referenceValue: 1524.5 },
  })
})

it('its guard holds a step from the imported value', async () => {
  await using operator = await openOperator(state)
  expect(await operator.admin('quarantine', 'list')).toMatch(/USD\/TARJETA .*held: step/)
  expect((await service.get('/api/v2/usd/tarjeta')).status).toBe(404)
})

it('the candle of the day opens with the imported close', async () => {
  const key = service.lines.find((line) => line.startsWith('key '))!.slice('key '.length)
  const answer = await service.get('/api/v2/history/usd/blue?limit=1', {
    headers: { 'x-api-key': key },
  })
  expect(((await answer.json()) as any).points).toEqual([
    { date: today, open: 1540, high: 1550, low: 1540, close: 1550, buy: 1530 },
  ])
})

it('the page of the pair has its chart and its days', async () => {
  const page = await (await service.get('/usd/blue')).text()
  const [, month, date] = day(1).split('-').map(Number)
  expect(page).toMatch(new RegExp(`${day(1)}|${date}/${month}/`))
})

it('what is stored fits together', async () => {
  await using operator = await openOperator(state)
  const output = await operator.admin('audit')
  expect(output.split('\n').filter((line) => line.startsWith('FALSE'))).toEqual([])
})
