import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { argentineDay, dayEnd } from '../../../../shared/argentine-time.ts'
import {
  findPairByKey,
  type Pair,
  pairById,
  type PairKey,
  pairKey,
  PAIRS,
} from '../../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { backfill, type BackfillOptions } from '../../../../tools/operate/backfill/backfill.ts'
import { SERIES } from '../../../../tools/operate/backfill/archives.ts'
import { fetchDocuments } from '../../../../tools/operate/backfill/fetch-documents.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import { type Archives, closingRates, openArchives, rate, variable } from './archive-server.ts'
import { aroundDatabase } from '../../../../shared/db/around.ts'
import type { AdminContext } from '../../../../tools/operate/admin/command.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'
import { setModeStatement, readMode } from '../../../../shared/db/quotes/service-mode.ts'
import { runAdmin } from '../../../support/admin.ts'
import { freePort } from '../../../../tools/support/listen.ts'

const now = dayEnd('2026-11-20') - 1
const from = '2025-10-01'
let archives: Archives

beforeAll(async () => {
  archives = await openArchives(now)
})
afterEach(() => {
  archives.instead = () => null
  archives.asked.length = 0
})
afterAll(() => archives[Symbol.asyncDispose]())

it('gives the same points whether it runs once or is cut short anywhere, again and again', async () => {
  await using clean = await openFixture()
  await clean.run({ from })
  const once = await clean.points()
  expect(once.length).toBeGreaterThan(3000)
  const { length: requests } = archives.asked
  // A document with several series is requested once, and a day that is not over has no value.
  expect(new Set(archives.asked).size).toBe(requests)
  expect(once.filter(({ at }) => Number(at) > now)).toEqual([])

  await using cut = await openFixture()
  archives.asked.length = 0
  for (const steps of [7, 31, 2, 58, 19, 44, 12, 25]) {
    await cut.run({ from }, steps).catch((error: unknown) => {
      expect(String(error)).toMatch(/cut short|Abort/)
    })
  }
  await cut.run({ from })

  expect(await cut.points()).toEqual(once)
  expect(await cut.coverage()).toEqual(await clean.coverage())
  // Days that were imported before the interruption are not requested again.
  expect(archives.asked.length).toBeLessThan(requests + 12)

  clean.forgetDocuments()
  archives.asked.length = 0
  expect(await clean.run({ from })).toEqual({ filled: [], failures: [] })
  expect(archives.asked).toEqual([])
})

it('retries what may pass, names the series that fail, and goes on with the rest', async () => {
  await using fixture = await openFixture()
  let times = 0
  archives.instead = (address) => {
    if (address.includes('riesgo-pais')) return times++ < 2 ? 503 : null
    if (address.includes('Monetarias/30')) return '<html>'
    return address.includes('Cotizaciones') ? 400 : null
  }
  const pairs = pairsOf('ARG/CER', 'CLP/OFICIAL', 'UYU/OFICIAL', 'ARG/RIESGO')
  const { failures, filled } = await fixture.run({ from: '2026-10-01', pairs })
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
  ['an error', 'ARG/CER', { status: 400, errorMessages: ['IdVariable invalida.'] }],
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

it('takes a silence of up to ten days as an unchanged value', async () => {
  await using fixture = await openFixture()
  const pairs = pairsOf('USD/MAYORISTA')
  const days = ['2026-09-01', '2026-09-02', '2026-09-13', '2026-09-28']
  archives.instead = () =>
    JSON.stringify(
      variable(
        5,
        days.map((fecha) => ({ fecha, valor: 1500 })),
      ),
    )
  const month = { from: '2026-09-01', to: '2026-09-30', pairs }
  await fixture.run(month)
  await fixture.run(month)
  expect(archives.asked[1]).toContain('desde=2026-09-14&hasta=2026-09-30')

  const format = { source: 'import:csv-daily', kind: 'daily' } as const
  for (const [day, wins] of [
    ['2026-09-05', { made: 0, conflicts: 1 }],
    // And the value after it is a change again.
    ['2026-09-20', { made: 2, conflicts: 0 }],
  ] as const) {
    const rows = [{ at: dayEnd(day), buy: 7, sell: 7 }]
    expect(await importSeries(fixture.db, format, { pair: pairs[0]!, rows })).toMatchObject(wins)
  }
})

it('reads prices of one unit, and makes the blue euro with the dollar of its day', async () => {
  await using fixture = await openFixture()
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
  archives.instead = (address) =>
    JSON.stringify(rates[/Cotizaciones\/([A-Z]{3})/.exec(address)?.[1] ?? ''] ?? dollars)
  await fixture.run({
    from: '2026-03-01',
    to: '2026-03-04',
    pairs: pairsOf('USD/BLUE', 'EUR/OFICIAL', 'EUR/BLUE', 'CLP/OFICIAL'),
  })
  expect(await fixture.lines()).toEqual([
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
  await using fixture = await openFixture()
  const pairs = pairsOf('EUR/OFICIAL', 'ARG/CER')
  await fixture.run({ from: '2007-03-05', to: '2008-01-10', pairs, dryRun: true })
  expect(archives.asked.map((url) => url.match(/\d{4}-\d\d-\d\d/g)!.join(' to '))).toEqual([
    '2007-03-05 to 2007-12-31',
    '2008-01-01 to 2008-01-10',
    '2007-03-05 to 2007-12-31',
    '2008-01-01 to 2008-01-10',
  ])
})

it('leaves what was recorded live, and writes nothing in a dry run', async () => {
  await using fixture = await openFixture()
  const blue = PAIRS[2]!
  const live = dayEnd('2026-11-10')
  await fixture.db
    .prepare(`insert into points (pair, at, buy, sell, source) values (?, ?, 1, 2, 'dolarhoy')`)
    .bind(blue.id, live)
    .run()

  await fixture.run({ from: '2026-11-01', pairs: [blue], dryRun: true })
  expect(await fixture.points()).toHaveLength(1)
  await fixture.run({ from: '2026-11-01', pairs: [blue] })
  const points = await fixture.points()
  expect(points.at(-1)).toMatchObject({ at: live, source: 'dolarhoy' })
  expect(points.length).toBeGreaterThan(3)
})

it('the command prints each pair’s result, and marks the state’s mode', async () => {
  await using storage = await openScratchStorage()
  const words = ['backfill', 'usd/blue', 'usd/bna', '--from', '2026-01-01']
  expect(await runAdmin(storage, ...words, '--upstream', archives.url)).toEqual([
    expect.stringMatching(/^ +pair +rows +points made +removed/),
    expect.stringMatching(/^ +USD\/BLUE +60 +60 +0 .*2026-01-01 +2026-03-01$/),
    expect.stringMatching(/^ +total +60/),
    'no archive has: USD/BNA',
  ])
  // So that the demo is never shown on these values.
  expect(await readMode(storage.db)).toBe('upstream')
})

it('gives a host up that does not answer, and fails', async () => {
  await using storage = await openScratchStorage()
  const warned: string[] = []
  const context = { ...storage, warn: warned.push.bind(warned) }
  const words = ['backfill', 'usd/blue', 'usd/ccl', '--upstream']
  await expect(runAdmin(context, ...words, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(
    '2 series could not be had: run it again later',
  )
  expect(warned).toEqual(
    ['USD/BLUE', 'USD/CCL'].map(
      (pair) => `${pair} not fetched: api.argentinadatos.com does not answer (ECONNREFUSED)`,
    ),
  )
})

it('docs/history.md names every pair that no archive has', () => {
  const without = PAIRS.map(pairKey).filter((key) => !SERIES[key])
  expect(readFileSync('docs/history.md', 'utf8')).toContain(
    `No archive has ${without.slice(0, -1).join(', ')} and ${without.at(-1)}.`,
  )
})

it.each([
  [['usd/none'], 'no pair usd/none in the catalogue'],
  [['--from', '2024-02-30'], '--from needs a day, YYYY-MM-DD'],
  [['--from', '2024-02-02', '--to', '2024-02-01'], '--from is after --to'],
  [['--upstream', 'file:///x'], '--upstream needs an http or https URL'],
])('refuses %s before it touches anything', async (words, message) => {
  await expect(runAdmin({} as AdminContext, 'backfill', ...words)).rejects.toThrow(message)
})

it.each([
  ['live', ['--upstream', 'http://127.0.0.1:9'], 'takes no values of mode upstream'],
  ['demo', [], 'takes no values of mode live: start the service first'],
  ['upstream', [], 'takes no values of mode live: start the service first, or give --upstream'],
] as const)('gives a state of mode %s nothing of another: %j', async (mode, words, message) => {
  await using storage = await openScratchStorage()
  await setModeStatement(storage.db, mode).run()
  await expect(
    runAdmin({ ...storage, stateDir: '/nowhere' }, 'backfill', ...words),
  ).rejects.toThrow(`this state is of mode ${mode} and ${message}`)
})

function pairsOf(...keys: string[]): Pair[] {
  return keys.map((key) => findPairByKey(key)!)
}

/** An empty state. */
async function openFixture() {
  const storage = await openScratchStorage()
  let get = fetchDocuments({ base: archives.url })
  const rowsOf = async (from: string) =>
    (await storage.db.prepare(`select * from ${from}`).all()).results

  return {
    db: storage.db,
    forgetDocuments() {
      get = fetchDocuments({ base: archives.url })
    },
    /** Runs the backfill, and interrupts it after this many reads and writes. */
    run(some: BackfillOptions, steps = Infinity) {
      let left = steps
      const db = aroundDatabase(storage.db, async (call) => {
        if (left-- <= 0) throw new Error('cut short')
        return call()
      })
      return backfill({ db, get, now: () => now, onProgress: () => {} }, some)
    },
    points: () => rowsOf('points order by pair, at'),
    /** The points as day, pair, buy, sell and source. */
    lines: async () =>
      (await rowsOf('points order by pair, at')).map(({ pair, at, buy, sell, source }) =>
        [
          argentineDay(Number(at)),
          pairKey(pairById(Number(pair))!),
          priceToNumber(Number(buy)),
          priceToNumber(Number(sell)),
          source,
        ].join(' '),
      ),
    coverage: () => rowsOf('import_coverage order by pair, kind, from_at'),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
