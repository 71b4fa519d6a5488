import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { archiveKey, type Manifest, readManifest } from '../../../shared/board/archive.ts'
import { raiseHistoryStatement } from '../../../shared/db/quotes/history-revision.ts'
import { toHex } from '../../../shared/crypto/hex.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { seedCloses } from '../../support/candles.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { seedBoard } from '../../support/seed.ts'

const NIGHT = art('2026-03-03 00:05')
const at = (now: number) => runArchive(env, { now: () => now })

/** The manifest without KV's own cache. */
async function manifest(): Promise<Manifest> {
  return JSON.parse((await env.BOARD.get('archive'))!) as Manifest
}

async function file(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = (await manifest()).files.find((file) => file.name === name)!
  return new Uint8Array((await env.BOARD.get(archiveKey(found), 'arrayBuffer'))!)
}

const text = async (name: string) => new TextDecoder().decode(await file(name))

async function seedWeekend(): Promise<void> {
  await seedCloses('usd/blue', ['2026-02-27', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
  await seedCloses('arg/riesgo', ['2026-03-01', 519, 519])
}

describe('the nightly files', () => {
  it('have each calendar day up to yesterday, weekends with the close before', async () => {
    await seedWeekend()
    await seedCloses('usd/blue', ['2026-03-03', 1, 2]) // today: not closed
    expect(await at(NIGHT)).toMatchObject({ outcome: 'built', day: '2026-03-02', rows: 6 })

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

  it('say the same in both formats', async () => {
    await seedWeekend()
    await at(NIGHT)

    const [, ...csv] = (await text('cotizaciones.csv')).trimEnd().split('\r\n')
    const { buffer } = await file('cotizaciones.parquet')
    const rows = (await parquetReadObjects({ file: buffer })) as Record<string, unknown>[]
    expect(
      rows.map(({ date, currency, origin, buy, sell, changed }) =>
        [(date as Date).toISOString().slice(0, 10), currency, origin, buy, sell, changed].join(','),
      ),
    ).toEqual(csv)
  })

  it('are told with their size, rows and SHA-256', async () => {
    await seedWeekend()
    await seedBoard(NIGHT, { mode: 'demo' })
    await at(NIGHT)

    const made = await manifest()
    expect(made).toMatchObject({ day: '2026-03-02', firstDay: '2026-02-27', mode: 'demo' })
    for (const { name, bytes, sha256 } of made.files) {
      const contents = await file(name)
      expect(contents.length, name).toBe(bytes)
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', contents))
      expect(toHex(digest), name).toBe(sha256)
    }
  })

  it('of a night go beside those of the night before, which go a night later', async () => {
    await seedWeekend()
    await at(NIGHT)
    const { files } = await manifest()
    const first = files.find(({ name }) => name === 'cotizaciones.csv')!
    await seedCloses('usd/blue', ['2026-03-03', 1, 2])
    await at(NIGHT + DAY_MS)

    const old = await env.BOARD.get(archiveKey(first), 'arrayBuffer')
    expect(old!.byteLength).toBe(first.bytes)
    expect(await text('cotizaciones.csv')).toContain('2026-03-03,USD,BLUE,1,2,true')

    await seedCloses('usd/blue', ['2026-03-04', 3, 4])
    await at(NIGHT + 2 * DAY_MS)
    expect(await env.BOARD.get(archiveKey(first))).toBeNull()
    expect(await text('cotizaciones.csv')).toContain('2026-03-04,USD,BLUE,3,4,true')
  })
})

describe('files are made', () => {
  it('once a night: the next run finds them current', async () => {
    await seedWeekend()
    expect(await at(NIGHT)).toMatchObject({ outcome: 'built' })
    expect(await at(NIGHT + 600_000)).toEqual({ outcome: 'current' })
  })

  it('without yesterday in the first minutes of a day: a cycle may still write into it', async () => {
    await seedWeekend()
    const built = { outcome: 'built' }
    expect(await at(art('2026-03-03 00:02:59'))).toMatchObject({ ...built, day: '2026-03-01' })
    expect(await at(art('2026-03-03 00:03:00'))).toMatchObject({ ...built, day: '2026-03-02' })
  })

  it('again after an import or a correction, at most every ten minutes', async () => {
    await seedWeekend()
    await at(NIGHT)
    await seedCloses('usd/blue', ['2026-02-27', 1, 2])
    await raiseHistoryStatement(env.DB).run()

    expect(await at(NIGHT + 599_999)).toEqual({ outcome: 'waiting' })
    expect(await at(NIGHT + 600_000)).toMatchObject({ outcome: 'built' })
    expect(await text('cotizaciones.csv')).toContain('2026-02-28,USD,BLUE,1,2,false')
  })

  it('never of nothing: before anything is quoted there is no manifest', async () => {
    expect(await at(NIGHT)).toEqual({ outcome: 'empty' })
    expect(await readManifest(env.BOARD)).toBeNull()
  })

  it('without a closed day are none, but the manifest is there with the first values', async () => {
    await seedCloses('usd/blue', ['2026-03-03', 1, 2])
    await seedBoard(NIGHT)
    expect(await at(NIGHT)).toEqual({ outcome: 'built', day: '2026-03-02', rows: 0, bytes: 0 })
    expect(await manifest()).toMatchObject({ day: '2026-03-02', files: [] })
    expect(await at(NIGHT + 60_000)).toEqual({ outcome: 'current' })
  })

  it('as soon as an import brings the first closed days', async () => {
    await seedBoard(NIGHT)
    await at(NIGHT)
    await seedWeekend()
    await raiseHistoryStatement(env.DB).run()
    expect(await at(NIGHT + 60_000)).toMatchObject({ outcome: 'built', rows: 6 })
  })

  it('with one query when they are current, of one row', async () => {
    await seedWeekend()
    await at(NIGHT)
    let calls = 0
    const counted = new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'prepare') throw new Error(String(name))
        calls++
        return target.prepare.bind(target)
      },
    })
    await runArchive({ DB: counted, BOARD: env.BOARD }, { now: () => NIGHT + 600_000 })
    expect(calls).toBe(1)
  })
})
