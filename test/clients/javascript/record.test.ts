import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RecordOptions } from '../../../clients/javascript/index.ts'
import { addDays, type Day, DAY_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { replacePoint } from '../../../shared/db/quotes/corrections.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { recordChecks } from '../../../tools/operate/admin/audit/record.ts'
import { openSigner } from '../../../workers/scraper/nightly/sign.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { seedOnce } from '../../support/open-database.ts'
import { build, nightAfter, published, recordKey, seedDays } from '../../support/record.ts'
import { changeRows } from '../../support/rows.ts'

const blue = findPairByKey('usd/blue')!
const NOW = art('2026-03-20 12:00')

/** What happens to an answer of the service on its way, by its path; null takes it away. */
type Altered = string | null | undefined
type Alter = (path: string, body: string) => Altered | Promise<Altered>

function clientOf(alter: Alter = () => undefined) {
  const edge = openEdge({ now: NOW })
  const headers = { 'CF-Connecting-IP': '203.0.113.9' }
  return createClient({
    baseUrl: 'https://cotizaciones.test',
    sleep: async () => {},
    fetch: async (input) => {
      const path = new URL(input as URL).pathname
      const response = await edge.fetch(path, { headers })
      const text = path.endsWith('.json') || path.endsWith('.sig') || path.endsWith('.csv')
      if (!text || !response.ok) return response
      const body = await response.text()
      const altered = await alter(path, body)
      if (altered === null) return Response.json({ error: 'No' }, { status: 404 })
      return new Response(altered ?? body, { headers: response.headers })
    },
  })
}

const verify = (alter?: Alter, asked?: RecordOptions) => clientOf(alter).verifyRecord(asked)

/** Three nights; between the second and the third a correction. */
async function seedNights(): Promise<void> {
  await seedDays(
    ['2026-03-01 11:00', 1410, 1430],
    ['2026-03-02 16:00', 1420, 1440],
    ['2026-03-03 12:00', 1425, 1445],
  )
  await build(nightAfter('2026-03-02'))
  await build(nightAfter('2026-03-03'))
  const correction = { pair: blue, at: art('2026-03-02 16:00'), reason: 'una cifra de más' }
  const now = art('2026-03-04 10:00')
  await replacePoint(env.DB, { ...correction, now, buy: 14_210_000, sell: 14_410_000 })
  await build(nightAfter('2026-03-04'))
}

/** Changes the JSON of a document. */
const json =
  (path: string, change: (document: any) => void): Alter =>
  (asked, body) => {
    if (asked !== path) return undefined
    const document = JSON.parse(body)
    change(document)
    return JSON.stringify(document)
  }

const SECOND = '/datos/manifiestos/2026-03-03.json'
const THIRD = '/datos/manifiestos/2026-03-04.json'
const KEYS = '/.well-known/cotizaciones-keys.json'

describe('a record of three nights', () => {
  beforeEach(() => seedOnce('three nights and a correction', seedNights))

  it('holds from the first to the last, and names the day that a correction changed', async () => {
    expect(await verify(undefined, { days: ['2026-03-02'] })).toEqual({
      holds: true,
      from: '2026-03-02',
      to: '2026-03-04',
      manifests: 3,
      unsigned: 0,
      keys: [(await openSigner(recordKey(7)))!.id],
      rewritten: [
        {
          from: '2026-03-02',
          to: '2026-03-03',
          reasons: ['una cifra de más'],
          manifest: '2026-03-04',
          builtAt: '2026-03-05T03:05:00.000Z',
        },
      ],
      problems: [],
    })
  })

  it.each<[string, Alter, string[], string | null]>([
    [
      'a file with another byte',
      (path, body) =>
        path === '/datos/cotizaciones.csv' ? body.replace('1410', '1411') : undefined,
      ['altered cotizaciones.csv'],
      null,
    ],
    [
      'a file that is missing',
      (path) => (path === '/datos/cotizaciones.csv' ? null : undefined),
      ['missing cotizaciones.csv'],
      null,
    ],
    [
      'the last manifest with another reason',
      json(THIRD, (manifest) => (manifest.corrections[0].reason = 'otra')),
      ['altered 2026-03-04.json'],
      null,
    ],
    [
      'an older manifest with another day',
      json(SECOND, (manifest) => (manifest.days[0].sha256 = '0'.repeat(64))),
      ['altered 2026-03-03.json'],
      '2026-03-04',
    ],
    [
      'a night that was taken away',
      (path) => (path === SECOND ? null : undefined),
      ['missing 2026-03-03.json'],
      '2026-03-04',
    ],
    [
      'a signature of other bytes',
      (path, body) =>
        path === `${SECOND}.sig` ? body.replace(/^./, (a) => (a === 'A' ? 'B' : 'A')) : undefined,
      ['wrong_signature 2026-03-03'],
      '2026-03-04',
    ],
    [
      'a signature that is missing',
      (path) => (path === `${THIRD}.sig` ? null : undefined),
      ['missing 2026-03-04.json.sig'],
      null,
    ],
    [
      'another key under the same name',
      json(KEYS, ({ keys }) => (keys[0].x = `A${keys[0].x.slice(1)}`)),
      ['unknown_key 2026-03-04', 'unknown_key 2026-03-03', 'unknown_key 2026-03-02'],
      null,
    ],
    [
      'the file of a day',
      (path, body) => (path.startsWith('/datos/dias/') ? body.replace('1421', '1422') : undefined),
      ['altered 2026-03-02.csv'],
      '2026-03-02',
    ],
  ])('shows %s', async (_, alter, problems, from) => {
    const report = await verify(alter, { days: ['2026-03-02'] })
    expect(report.holds).toBe(false)
    expect(report.problems.map(({ kind, name }) => `${kind} ${name}`)).toEqual(problems)
    expect(report.from).toBe(from)
  })

  it('believes the keys that it is given, and no other', async () => {
    const { id } = (await openSigner(recordKey(8)))!
    expect((await verify(undefined, { keys: [id] })).problems).toHaveLength(3)
    await build(nightAfter('2026-03-05'), { RECORD_SIGNING_KEY: recordKey(8) })
    const both = (await published()).keys.map(({ kid }) => kid)
    expect(await verify(undefined, { keys: both })).toMatchObject({
      holds: true,
      keys: [id, both[0]],
    })

    await build(nightAfter('2026-03-06'), { RECORD_SIGNING_KEY: '' })
    expect(await verify()).toMatchObject({ holds: true, unsigned: 1, to: '2026-03-06' })
    expect((await verify(undefined, { keys: both })).problems).toEqual([
      { kind: 'unsigned', name: '2026-03-06' },
    ])
  })

  it('shows a day that was rewritten without a word', async () => {
    // As one who writes into the database alone would.
    await env.DB.prepare('update points set sell = sell + 10000 where at = ?')
      .bind(art('2026-03-03 12:00'))
      .run()
    expect((await verify(undefined, { days: ['2026-03-04'] })).problems).toEqual([
      { kind: 'altered', name: '2026-03-04.csv' },
    ])
    await changeRows('recordDays', { sha256: '0'.repeat(64) }, { day: '2026-03-04' })
    await build(nightAfter('2026-03-05'))
    expect((await verify()).problems).toEqual([{ kind: 'unnamed_change', name: '2026-03-04' }])
  })

  it('walks no further than it is asked, and fetches no file that it is not', async () => {
    const paths: string[] = []
    const seen: Alter = (path) => void paths.push(path)
    expect(await verify(seen, { since: '2026-03-03', files: false })).toMatchObject({
      holds: true,
      from: '2026-03-03',
      manifests: 2,
    })
    expect(paths).not.toContain('/datos/cotizaciones.csv')
  })

  it('looks again when a night is published while it looks', async () => {
    let isFirst = true
    const report = await verify(async (path) => {
      if (path !== '/datos/cotizaciones.csv' || !isFirst) return undefined
      isFirst = false
      await build(nightAfter('2026-03-05'))
      return null
    })
    expect(report).toMatchObject({ holds: true, to: '2026-03-05' })
  })
})

type Step =
  | { do: 'night'; later: number }
  | { do: 'again' | 'twice' | 'import' | 'correct' | 'key' }
  | { do: 'clock'; days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('night' as const),
      later: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.constantFrom<Step>(
    { do: 'again' },
    { do: 'twice' },
    { do: 'import' },
    { do: 'correct' },
    { do: 'key' },
  ),
  fc.record({ do: fc.constant('clock' as const), days: fc.integer({ min: -3, max: 4 }) }),
)

it('holds whatever happens to the nights, and its days are those of the points', async () => {
  await seedDays(['2026-03-01 11:00', 1410, 1430], ['2026-03-01 15:00', 1411, 1431])
  let key = 7
  let day: Day = '2026-03-02'
  let builds = 0
  async function run(taken: Step): Promise<unknown> {
    builds++
    if (taken.do === 'night') day = addDays(day, taken.later)
    if (taken.do === 'key') key++
    if (taken.do === 'import')
      await seedDays([`${day} 10:${String(builds).padStart(2, '0')}`, 1000 + builds, 1010])
    const now = nightAfter(day) + builds * 10 * MINUTE_MS
    if (taken.do === 'correct') {
      const at = art('2026-03-01 15:00')
      const sell = 14_000_000 + builds
      await replacePoint(env.DB, { pair: blue, at, reason: 'motivo', now, buy: sell, sell })
    }
    const made = { RECORD_SIGNING_KEY: recordKey(key) }
    if (taken.do === 'clock') return build(now + taken.days * DAY_MS, made)
    if (taken.do === 'twice') return Promise.all([build(now, made), build(now + 1, made)])
    return build(now, made)
  }
  await run({ do: 'again' })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const taken of steps) await run(taken)
      await build(nightAfter(day) + ++builds * 10 * MINUTE_MS)
      expect((await verify()).problems).toEqual([])
      for (const { name, run } of recordChecks)
        expect(await run({ db: env.DB }), name).toMatchObject({ kind: 'checked', broken: 0 })
    }),
    { numRuns: 3 },
  )
})
