import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { addDays, argentineDay, dayEnd } from '../../../../shared/argentine-time.ts'
import {
  findPairByKey,
  type Pair,
  pairById,
  pairKey,
  PAIRS,
} from '../../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import {
  backfill,
  type BackfillOptions,
  failureLines,
} from '../../../../tools/operate/backfill/backfill.ts'
import { SERVED } from '../../../../tools/operate/backfill/archives.ts'
import { fetchDocuments } from '../../../../tools/operate/backfill/fetch-documents.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import { dayRanges } from '../../../../tools/operate/import/ranges.ts'
import { type Archives, closingRates, openArchives, rate, variable } from './archive-server.ts'
import { aroundDatabase } from '../../../../shared/db/around.ts'
import type { AdminContext } from '../../../../tools/operate/admin/command.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'
import { markStatement, readMode } from '../../../../shared/db/quotes/service-mode.ts'
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
  const { filled, complete } = await clean.run({ from })
  expect([filled, complete.length, archives.asked]).toEqual([[], Object.keys(SERVED).length, []])
})

it('names a failed archive, goes on with the rest, and fills its days from no other archive', async () => {
  await using fixture = await openFixture()
  archives.instead = (address) => (address.startsWith('api.bcra.gob.ar') ? 400 : null)
  const { failures, filled } = await fixture.run({ from: '2026-01-01' })
  expect(failureLines(failures)).toEqual([
    'api.bcra.gob.ar answered 400: USD/MAYORISTA (bcra-variables), EUR/OFICIAL (bcra-currencies), EUR/BLUE (bcra-currencies), BRL/OFICIAL (bcra-currencies), CLP/OFICIAL (bcra-currencies), UYU/OFICIAL (bcra-currencies), ARG/CER (bcra-variables), ARG/UVA (bcra-variables) left for another run',
  ])
  expect(filled.map(({ pair }) => pair.origin)).toContain('RIESGO')
  expect(filled.map(({ pair }) => pairKey(pair))).not.toContain('USD/MAYORISTA')

  archives.instead = () => null
  expect((await fixture.run({ from: '2026-01-01' })).failures).toEqual([])
  await using clean = await openFixture()
  await clean.run({ from: '2026-01-01' })
  expect(await fixture.points()).toEqual(await clean.points())
})

it('retries failures that may pass, but not a document of another shape', async () => {
  await using fixture = await openFixture()
  let times = 0
  archives.instead = (address) => {
    if (address.includes('riesgo-pais')) return times++ < 2 ? 503 : null
    return address.includes('Monetarias/30') ? '<html>' : null
  }
  const pairs = pairsOf('ARG/RIESGO', 'ARG/CER')
  const { failures, filled } = await fixture.run({ from: '2026-10-01', pairs })
  expect(filled.map(({ pair }) => pair)).toEqual([pairs[0]])
  expect(failureLines(failures)).toEqual([
    'bcra-variables has another shape: ARG/CER (bcra-variables) left for another run',
  ])
})

it('fills only long holes before the end from a further archive, and silences from none', async () => {
  await using fixture = await openFixture()
  const [mayorista] = pairsOf('USD/MAYORISTA')
  const kept = ['2026-09-01', '2026-09-02', '2026-09-13', '2026-09-28'].map((fecha) => ({
    fecha,
    valor: 1500,
  }))
  const all = Array.from({ length: 32 }, (_, day) => addDays('2026-08-30', day))
  archives.instead = (address) =>
    /Monetarias/.test(address)
      ? JSON.stringify(variable(5, kept))
      : JSON.stringify(all.map((fecha) => ({ casa: 'mayorista', compra: 1, venta: 1, fecha })))
  const month = { from: '2026-08-30', to: '2026-09-30', pairs: [mayorista!] }
  await fixture.run(month)
  expect(await fixture.lines()).toEqual([
    '2026-09-01 USD/MAYORISTA 1500 1500 import:bcra-variables',
    '2026-09-14 USD/MAYORISTA 1 1 import:argentinadatos-dolares',
    '2026-09-28 USD/MAYORISTA 1500 1500 import:bcra-variables',
  ])

  archives.asked.length = 0
  expect((await fixture.run(month)).complete).toEqual([mayorista])
  expect(archives.asked).toEqual([expect.stringContaining('desde=2026-09-29&')])
  const row = { at: dayEnd('2026-09-05'), buy: 7, sell: 7 }
  const series = { pair: mayorista!, rows: [row], coverage: dayRanges(['2026-09-05']) }
  const format = { source: 'import:argentinadatos-dolares', kind: 'daily' } as const
  expect(await importSeries(fixture.db, format, series)).toMatchObject({ made: 0, conflicts: 1 })
})

it('reads prices of one unit, and makes the blue euro with the dollar of its day', async () => {
  await using fixture = await openFixture()
  const dollars = [
    { casa: 'blue', compra: 1500, venta: 1520, fecha: '2026-03-02' },
    { casa: 'blue', compra: null, venta: 1530, fecha: '2026-03-03' },
  ]
  const rates: Record<string, object> = {
    EUR: closingRates([
      { fecha: '2026-03-02', rates: [rate('EUR', 1612, 1.156)] },
      { fecha: '2026-03-03', rates: [rate('EUR', 1600, 0)] },
      { fecha: '2026-03-04', rates: [rate('EUR', 1590, 1.2)] },
    ]),
    CLP: closingRates([
      { fecha: '2026-03-02', rates: [rate('CLP', 1493.186, 1, 'CLP (C/1.000 UNIDADES)')] },
    ]),
  }
  archives.instead = (address) =>
    JSON.stringify(rates[/Cotizaciones\/([A-Z]{3})/.exec(address)?.[1] ?? ''] ?? dollars)
  const { filled } = await fixture.run({
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
  ])
  const skipped = filled.map((summary) =>
    Object.fromEntries([...summary.skipped].map(([reason, rows]) => [reason, rows.length])),
  )
  const none = 'nobody has the dollar of that day'
  expect(skipped).toEqual([{ 'no value': 1 }, {}, { [none]: 2 }, {}])
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

it('the command prints each pair’s result and the number of points, and marks the state’s mode', async () => {
  await using storage = await openScratchStorage()
  const words = ['backfill', 'usd/blue', 'eur/blue', 'usd/bna', '--from', '2026-01-01']
  const command = () => runAdmin(storage, ...words, '--upstream', archives.url)
  const [first, heads, blue, ...more] = await command()
  expect([first, heads, blue]).toEqual([
    'argentinadatos:',
    expect.stringMatching(/^ +pair +rows +points made +removed/),
    expect.stringMatching(/^ +USD\/BLUE +60 +60 +0 .*2026-01-01 +2026-03-01$/),
  ])
  expect(more.at(-2)).toBe('no archive has: USD/BNA')
  expect(more.at(-1)).toMatch(/^\d{2,3} new points made by 2 requests in [\d.]+ s$/)
  // So that the demo is never shown on these values.
  expect(await readMode(storage.db)).toBe('upstream')
})

it('prints one line per reason when archives fail; a host is given up after three tries', async () => {
  await using storage = await openScratchStorage()
  const told: string[] = []
  const context = { ...storage, print: told.push.bind(told), warn: told.push.bind(told) }
  const words = ['backfill', 'usd/blue', 'usd/ccl', 'arg/cer', '--upstream']
  await expect(runAdmin(context, ...words, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(
    '3 series could not be had: run it again later',
  )
  expect(told.join('\n')).toMatch(/^0 new points made by 6 requests/)
  expect(told).toContain(
    'api.argentinadatos.com does not answer (ECONNREFUSED): USD/BLUE (argentinadatos), USD/CCL (argentinadatos) left for another run',
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
  await markStatement(storage.db, mode).run()
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
  let documents = fetchDocuments({ base: archives.url })
  const rowsOf = async (from: string) =>
    (await storage.db.prepare(`select * from ${from}`).all()).results

  return {
    db: storage.db,
    forgetDocuments() {
      documents = fetchDocuments({ base: archives.url })
    },
    /** Runs the backfill, and interrupts it after this many reads and writes. */
    run(some: BackfillOptions, steps = Infinity) {
      let left = steps
      const db = aroundDatabase(storage.db, async (call) => {
        if (left-- <= 0) throw new Error('cut short')
        return call()
      })
      return backfill({ db, documents, now: () => now, onProgress: () => {} }, some)
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
