import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { DAY_MS, dayNumber, dayOfNumber } from '../../../shared/argentine-time.ts'
import { fileKey, readManifest } from '../../../shared/board/nightly-files.ts'
import { readCloses, readMonth } from '../../../workers/site/pair/read-charts.ts'
import { raiseHistoryStatement } from '../../../tools/operate/import/candles.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { MONTH_CLOSES, updateFiles } from '../../../workers/scraper/nightly/nightly-files.ts'
import { buildFiles, published, recordCycleAt } from '../../support/nightly-files.ts'
import { seedCloses } from '../../support/points.ts'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { changeRows } from '../../support/rows.ts'
import { art } from '../../support/instant.ts'

const NIGHT = art('2026-03-03 00:05')
const at = (now: number) => updateFiles(env, () => now)

async function file(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = (await published()).files.find((file) => file.name === name)!
  return new Uint8Array((await env.BOARD.get(fileKey(found), 'arrayBuffer'))!)
}

const closesOf = (key: string) => readCloses(env.BOARD, findPairByKey(key)!)
const text = async (name: string) => new TextDecoder().decode(await file(name))

async function seedWeekend(): Promise<void> {
  await seedCloses('usd/blue', ['2026-02-27', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
  await seedCloses('arg/riesgo', ['2026-03-01', 519, 519])
}

describe('the nightly files', () => {
  it('have each calendar day up to yesterday; weekends repeat the close before them', async () => {
    await seedWeekend()
    await seedCloses('usd/blue', ['2026-03-03', 1, 2]) // today: not closed
    expect(await buildFiles(NIGHT)).toMatchObject({ outcome: 'built', day: '2026-03-02', rows: 6 })

    expect(await text('cotizaciones.csv')).toBe(
      [
        'date,currency,origin,buy,sell,changed',
        '2026-02-27,USD,BLUE,1410.5,1430.25,true',
        '2026-02-28,USD,BLUE,1410.5,1430.25,false',
        '2026-03-01,USD,BLUE,1410.5,1430.25,false',
        '2026-03-02,USD,BLUE,1420,1440,true',
        '2026-03-01,ARG,RIESGO,519,519,true',
        '2026-03-02,ARG,RIESGO,519,519,false',
        '',
      ].join('\r\n'),
    )
  })

  it('have the same values in both formats', async () => {
    await seedWeekend()
    await buildFiles(NIGHT)

    const [, ...csv] = (await text('cotizaciones.csv')).trimEnd().split('\r\n')
    const { buffer } = await file('cotizaciones.parquet')
    const rows = (await parquetReadObjects({ file: buffer })) as Record<string, unknown>[]
    expect(
      rows.map(({ date, currency, origin, buy, sell, changed }) =>
        [(date as Date).toISOString().slice(0, 10), currency, origin, buy, sell, changed].join(','),
      ),
    ).toEqual(csv)
  })

  it('of a night stay for a week beside the files of later nights', async () => {
    await seedWeekend()
    await buildFiles(NIGHT)
    const old = (await published()).files[0]!
    await seedCloses('usd/blue', ['2026-03-03', 1, 2])
    await buildFiles(NIGHT + DAY_MS)

    expect(await env.BOARD.get(fileKey(old), 'arrayBuffer')).not.toBeNull()
    expect(await text('cotizaciones.csv')).toContain('2026-03-03,USD,BLUE,1,2,true')
    const { keys } = await env.BOARD.list({ prefix: 'file:' })
    const week = Date.now() / 1000 + 7 * 86_400
    for (const { expiration } of keys) expect(Math.abs(expiration! - week)).toBeLessThan(600)
  })
})

describe('the charts of closed days', () => {
  it('have each day with a change, and its extremes beyond its close and the close before', async () => {
    await seedWeekend()
    await changeRows('dailyCandles', { high: 15_000_000 }, { day: '2026-03-02' })
    await seedCloses('usd/blue', ['2026-03-03', 1, 2]) // today: not closed
    await buildFiles(NIGHT)

    expect(await closesOf('usd/blue')).toEqual([
      [dayNumber('2026-02-27'), 14_302_500, 14_105_000],
      [dayNumber('2026-03-02'), 14_400_000, 14_200_000, 15_000_000, 14_302_500],
    ])
    expect(await readMonth(env.BOARD)).toEqual({
      'USD/BLUE': [
        [dayNumber('2026-02-27'), 14_302_500],
        [dayNumber('2026-03-02'), 14_400_000],
      ],
      'ARG/RIESGO': [[dayNumber('2026-03-01'), 5_190_000]],
    })
  })

  it('list the last closes of each pair', async () => {
    const all = Array.from({ length: 40 }, (_, i) => [
      dayOfNumber(dayNumber('2026-01-01') + i),
      i,
      i + 1,
    ])
    await seedCloses('usd/blue', ...(all as [string, number, number][]))
    await buildFiles(NIGHT)

    expect(await closesOf('usd/blue')).toHaveLength(40)
    const month = (await readMonth(env.BOARD))['USD/BLUE']!
    expect(month).toHaveLength(MONTH_CLOSES)
    expect(month.at(-1)).toEqual([dayNumber('2026-02-09'), 400_000])
  })
})

describe('files are made', () => {
  it('once a night, and again before they expire if no day closes', async () => {
    await seedWeekend()
    expect(await buildFiles(NIGHT)).toMatchObject({ outcome: 'built' })
    const { db, spent } = measuredDatabase()
    const looked = await updateFiles({ DB: db, BOARD: env.BOARD }, () => NIGHT + 3 * DAY_MS)
    expect(looked).toEqual({ outcome: 'current' })
    expect(spent().roundTrips).toBe(1)
    expect(await at(NIGHT + 4 * DAY_MS)).toMatchObject({ outcome: 'built', day: '2026-03-02' })
  })

  it('for a day once a cycle after its end is recorded, whatever the clock of the build shows', async () => {
    await seedWeekend()
    await recordCycleAt(env.DB, art('2026-03-02 23:59:59'), 'live')
    expect(await at(art('2026-03-03 08:00'))).toMatchObject({ day: '2026-03-01' })
    await recordCycleAt(env.DB, art('2026-03-03 00:00'), 'live')
    expect(await at(art('2026-03-02 08:00'))).toMatchObject({ day: '2026-03-02' })
  })

  it('again after an import or a correction', async () => {
    await seedWeekend()
    await buildFiles(NIGHT)
    await seedCloses('usd/blue', ['2026-02-27', 1, 2])
    await raiseHistoryStatement(env.DB).run()

    expect(await at(NIGHT + 600_000)).toMatchObject({ outcome: 'built' })
    expect(await text('cotizaciones.csv')).toContain('2026-02-28,USD,BLUE,1,2,false')
    expect((await closesOf('usd/blue'))![0]).toEqual([dayNumber('2026-02-27'), 20_000, 10_000])
  })

  it('not before the first cycle: then there is no manifest', async () => {
    expect(await at(NIGHT)).toEqual({ outcome: 'empty' })
    expect(await readManifest(env.BOARD)).toBeNull()
  })

  it('are none without a closed day, and exist once an import brings the first closed days', async () => {
    await seedCloses('usd/blue', ['2026-03-03', 1, 2])
    const none = { outcome: 'built', day: '2026-03-02', rows: 0, bytes: 0 }
    expect(await buildFiles(NIGHT)).toEqual(none)
    expect(await published()).toMatchObject({ day: '2026-03-02', files: [] })
    expect(await at(NIGHT + 60_000)).toEqual({ outcome: 'current' })

    await seedWeekend()
    await raiseHistoryStatement(env.DB).run()
    expect(await at(NIGHT + 60_000)).toMatchObject({ outcome: 'built', rows: 6 })
  })
})

/** KV whose `at`-th write fails and stores nothing. */
function failingAt(at: number): KVNamespace {
  let calls = 0
  return new Proxy(env.BOARD, {
    get(target, name: keyof KVNamespace) {
      const method = (target[name] as () => unknown).bind(target)
      if (name !== 'put') return method
      return (...args: []) => (++calls === at ? Promise.reject(new Error('died')) : method(...args))
    },
  })
}

it('after a build that dies at any write, readers see complete files, and the next run finishes it', async () => {
  await seedWeekend()
  await buildFiles(NIGHT)
  await seedCloses('usd/blue', ['2026-03-03', 3, 4])
  await buildFiles(NIGHT + DAY_MS)

  const night = NIGHT + 2 * DAY_MS
  for (let write = 1; ; write++) {
    await seedCloses('usd/blue', ['2026-03-04', write, write + 1])
    await raiseHistoryStatement(env.DB).run()
    await recordCycleAt(env.DB, night, 'live')
    const now = () => night + write * 1_200_000
    const run = () => updateFiles({ ...env, BOARD: failingAt(write) }, now)
    const died = await run().catch(() => null)
    const { files } = await published()
    for (const file of files)
      expect(await env.BOARD.get(fileKey(file)), `${write} ${file.name}`).not.toBeNull()
    // The charts of two pairs, the month of all pairs, each file, and the manifest.
    if (died) return expect(write).toBe(3 + files.length + 1 + 1)

    const next = await at(now())
    expect(['built', 'current']).toContain(next.outcome)
    expect(await text('cotizaciones.csv')).toContain(`2026-03-04,USD,BLUE,${write},${write + 1}`)
  }
})
