import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { dayEnd } from '../../../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../../../shared/market/catalog.ts'
import {
  backfill,
  type BackfillOptions,
  EVERYTHING,
  failureLines,
} from '../../../../tools/operate/backfill/backfill.ts'
import { SERVED } from '../../../../tools/operate/backfill/table.ts'
import { fetchDocuments } from '../../../../tools/operate/backfill/fetch-documents.ts'
import { type Archives, openArchives } from '../../../support/archives.ts'
import { dyingDatabase } from '../../../support/dying-database.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'

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
  // What came in before a cut is not asked for again.
  expect(archives.asked.length).toBeLessThan(requests + 12)

  clean.forgetDocuments()
  archives.asked.length = 0
  const { filled, complete } = await clean.run({ from })
  expect([filled, complete.length, archives.asked]).toEqual([[], Object.keys(SERVED).length, []])
})

it('names what fails, goes on with the rest, and gives its days to no other archive', async () => {
  await using fixture = await openFixture()
  archives.instead = (address) => (address.startsWith('api.bcra.gob.ar') ? 400 : null)
  const { failures, filled } = await fixture.run({ from: '2026-01-01' })
  expect(failureLines(failures)).toEqual([
    'api.bcra.gob.ar answered 400: USD/MAYORISTA (bcra-variables), EUR/OFICIAL (bcra-currencies), EUR/BLUE (bcra-currencies), BRL/OFICIAL (bcra-currencies), CLP/OFICIAL (bcra-currencies), UYU/OFICIAL (bcra-currencies), ARG/CER (bcra-variables), ARG/UVA (bcra-variables) left for another run',
  ])
  expect(filled.map(({ summary }) => summary.pair.origin)).toContain('RIESGO')
  expect(archives.asked.some((address) => /mindicador|olinda/.test(address))).toBe(false)

  archives.instead = () => null
  expect((await fixture.run({ from: '2026-01-01' })).failures).toEqual([])
  await using clean = await openFixture()
  await clean.run({ from: '2026-01-01' })
  expect(await fixture.points()).toEqual(await clean.points())
})

it('tries again what a moment mends, and not what another shape says', async () => {
  await using fixture = await openFixture()
  let times = 0
  archives.instead = (address) => {
    if (address.includes('riesgo-pais')) return times++ < 2 ? 503 : null
    return address.includes('Monetarias/30') ? '<html>' : null
  }
  const pairs = ['ARG/RIESGO', 'ARG/CER'].map((key) => findPairByKey(key)!)
  const { failures, filled } = await fixture.run({ from: '2026-10-01', pairs })
  expect(filled.map(({ summary }) => summary.pair)).toEqual([pairs[0]])
  expect(failureLines(failures)).toEqual([
    'bcra-variables is not JSON: ARG/CER (bcra-variables) left for another run',
  ])
})

it('asks the next archive for what the first one never had', async () => {
  await using fixture = await openFixture()
  archives.instead = (address) =>
    /Cotizaciones\/CLP/.test(address) ? '{"metadata":{"resultset":{"count":0}},"results":[]}' : null
  const pairs = ['USD/MAYORISTA', 'CLP/OFICIAL'].map((key) => findPairByKey(key)!)
  const { filled } = await fixture.run({ from: '2026-08-01', pairs })
  expect(filled.map(({ archive }) => archive)).toEqual(['bcra-variables', 'mindicador'])
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
    /** Runs it; after so many reads and writes it is cut short. */
    run(some: Partial<BackfillOptions>, steps = Infinity) {
      const db = dyingDatabase(storage.db, steps)
      return backfill(
        { db, documents, now: () => now, onProgress: () => {} },
        { ...EVERYTHING, ...some },
      )
    },
    points: () => rowsOf('points order by pair, at'),
    coverage: () => rowsOf('import_coverage order by pair, kind, from_at'),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
