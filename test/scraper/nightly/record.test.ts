import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { type ArchivedFile, archiveKey, type Manifest } from '../../../shared/board/archive.ts'
import { readStoredManifest } from '../../../shared/board/record.ts'
import { fromBase64 } from '../../../shared/crypto/base64.ts'
import { sha256 } from '../../../shared/crypto/sha256.ts'
import { removePoint, replacePoint } from '../../../shared/db/quotes/corrections.ts'
import { readDayFile } from '../../../shared/db/quotes/day-files.ts'
import { raiseHistoryStatement } from '../../../shared/db/quotes/history-revision.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { openSigner } from '../../../workers/scraper/nightly/sign.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import {
  build,
  chain,
  KEY,
  nightAfter,
  published,
  recordKey,
  seedDays,
} from '../../support/record.ts'
import { countRows } from '../../support/rows.ts'

const blue = findPairByKey('usd/blue')!

const seedWeek = () =>
  seedDays(
    ['2026-02-27 11:00', 1410, 1430],
    ['2026-03-02 10:00', 1415, 1435],
    ['2026-03-02 16:00', 1420, 1440],
    ['2026-03-04 12:00', 1425, 1445],
  )

/** Whether the bytes of a manifest have the signature of the key that it names. */
async function isSigned(name: string, { keys }: Manifest): Promise<boolean> {
  const { body, signature } = (await readStoredManifest(env.BOARD, name))!
  const { key } = JSON.parse(body) as { key: string }
  const { x } = keys.find(({ kid }) => kid === key)!
  const publicKey = await crypto.subtle.importKey('raw', fromBase64(x)!, 'Ed25519', true, [
    'verify',
  ])
  const bytes = new TextEncoder().encode(body)
  return crypto.subtle.verify('Ed25519', publicKey, fromBase64(signature!)!, bytes)
}

/** What must hold after every run that came to its end. */
async function expectSound(): Promise<void> {
  const shown = await published()
  const all = await chain()
  expect(shown.record).toMatchObject({ name: all[0]!.name, sha256: all[0]!.sum })
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => all.length - index))
  for (const [index, { previous }] of all.entries())
    expect(previous?.sha256).toBe(all[index + 1]?.sum)
  for (const file of shown.files) await expectStored(file)
  expect(await isSigned(all[0]!.name, shown)).toBe(true)
  expect(await countRows('manifests')).toBe(all.length)
}

const daySums = async () => {
  const file = (await published()).files.find(({ name }) => name === 'dias.sha256')!
  return (await env.BOARD.get(archiveKey(file)))!
}

describe('a manifest', () => {
  it('names its files, the closed day with its sum, and the manifest before it', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-03'))

    const [second, first] = await chain()
    expect(first).toMatchObject({
      version: 1,
      number: 1,
      name: '2026-03-02',
      firstDay: '2026-02-27',
      lastDay: '2026-03-02',
      builtAt: '2026-03-03T03:05:00.000Z',
      previous: null,
      key: (await openSigner(KEY))!.id,
      days: [{ date: '2026-03-02', sha256: await sha256(await readDayFile(env.DB, '2026-03-02')) }],
      rewritten: [],
      corrections: [],
    })
    expect(first!.files.map(({ name }) => name)).toEqual([
      'cotizaciones.csv',
      'cotizaciones.parquet',
      'dias.sha256',
    ])
    expect(second!.previous).toEqual({
      name: '2026-03-02',
      url: '/datos/manifiestos/2026-03-02.json',
      sha256: first!.sum,
    })
    await expectSound()
  })

  it('covers each day since the first: its file has what was in effect and every change', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    expect(await readDayFile(env.DB, '2026-03-02')).toBe(
      [
        'currency,origin,at,buy,sell,source',
        'USD,BLUE,2026-02-27T11:00:00.000-03:00,1410,1430,test',
        'USD,BLUE,2026-03-02T10:00:00.000-03:00,1415,1435,test',
        'USD,BLUE,2026-03-02T16:00:00.000-03:00,1420,1440,test',
        '',
      ].join('\r\n'),
    )
    const lines = (await daySums()).trimEnd().split('\n')
    expect(lines.map((line) => line.slice(66))).toEqual(
      ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'].map((day) => `${day}.csv`),
    )
    for (const line of lines)
      expect(line.slice(0, 64)).toBe(await sha256(await readDayFile(env.DB, line.slice(66, 76))))
  })

  it('is not signed without a key, and says so', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'), { RECORD_SIGNING_KEY: '' })
    const [only] = await chain()
    expect(only!.key).toBeNull()
    expect((await readStoredManifest(env.BOARD, only!.name))!.signature).toBeNull()
    expect(await published()).toMatchObject({ keys: [], record: { key: null } })
  })

  it('is checked with the key that signed it, after a new one too', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-03'), { RECORD_SIGNING_KEY: recordKey(8) })
    await build(nightAfter('2026-03-04'), { RECORD_SIGNING_KEY: '' })

    const shown = await published()
    expect(shown.keys.map(({ kid }) => kid)).toEqual(
      await Promise.all([7, 8].map(async (byte) => (await openSigner(recordKey(byte)))!.id)),
    )
    for (const name of ['2026-03-02', '2026-03-03']) expect(await isSigned(name, shown)).toBe(true)
  })
})

describe('the past that changes', () => {
  it('is named with the reason of its correction, and the days that it reaches', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-05'))
    const at = art('2026-03-02 16:00')
    const now = art('2026-03-06 10:00')
    await replacePoint(env.DB, {
      pair: blue,
      at,
      reason: 'una cifra de más',
      now,
      buy: 14_210_000,
      sell: 14_410_000,
    })
    await build(art('2026-03-06 10:10'))

    const [second] = await chain()
    expect(second).toMatchObject({
      name: '2026-03-05.2',
      lastDay: '2026-03-05',
      days: [],
      // The point is in effect until the next one, of noon on the 4th.
      rewritten: [{ from: '2026-03-02', to: '2026-03-04', reasons: ['una cifra de más'] }],
      corrections: [
        {
          currency: 'USD',
          origin: 'BLUE',
          at: '2026-03-02T16:00:00.000-03:00',
          action: 'replace',
          before: { buy: 1420, sell: 1440 },
          after: { buy: 1421, sell: 1441 },
          reason: 'una cifra de más',
          madeAt: '2026-03-06T13:00:00.000Z',
        },
      ],
    })
    await expectSound()

    await build(nightAfter('2026-03-06'))
    expect((await chain())[0]).toMatchObject({ name: '2026-03-06', rewritten: [], corrections: [] })
  })

  it('is named once, whatever the clock of the correction said', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-05'))
    for (const day of ['2026-01-01', '2027-01-01'])
      await removePoint(env.DB, {
        pair: blue,
        at: day < '2027' ? art('2026-03-02 10:00') : art('2026-03-04 12:00'),
        reason: day,
        now: art(`${day} 12:00`),
      })
    await build(nightAfter('2026-03-06'))
    await build(nightAfter('2026-03-07'))
    const [third, second] = await chain()
    expect(second!.corrections.map(({ reason }) => reason)).toEqual(['2026-01-01', '2027-01-01'])
    expect(third!.corrections).toEqual([])
  })

  it('is named without a reason when an import changed it, and as new days where it added them', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-03'))
    await seedDays(['2026-02-20 11:00', 1, 2], ['2026-03-01 11:00', 3, 4])
    await build(art('2026-03-04 10:00'))

    const [second] = await chain()
    expect(second).toMatchObject({
      firstDay: '2026-02-20',
      // The value of the 1st is in effect when the 2nd begins; the first change of the 27th was its first.
      rewritten: [
        { from: '2026-02-27', to: '2026-02-27', reasons: [] },
        { from: '2026-03-01', to: '2026-03-02', reasons: [] },
      ],
    })
    expect((await daySums()).slice(66)).toMatch(/^2026-02-20\.csv/)
    await expectSound()
  })
})

describe('a night', () => {
  it('that runs again writes nothing', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    expect(await build(nightAfter('2026-03-02') + 600_000)).toEqual({ outcome: 'current' })
    expect(await chain()).toHaveLength(1)
  })

  it('that runs twice at once leaves one manifest', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    const at = nightAfter('2026-03-03')
    const outcomes = await Promise.all([build(at), build(at + 1)])
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['built', 'waiting'])
    expect(await chain()).toHaveLength(2)
    await expectSound()
  })

  it('in which the past changes while the files are made leaves them to the next run', async () => {
    await seedWeek()
    let puts = 0
    const BOARD = around(env.BOARD, async () => {
      if (puts++ === 0) await raiseHistoryStatement(env.DB).run()
    })
    expect(await build(nightAfter('2026-03-02'), { BOARD })).toEqual({ outcome: 'waiting' })
    expect(await env.BOARD.get('archive')).toBeNull()
    expect(await build(nightAfter('2026-03-02') + 60_000)).toMatchObject({ outcome: 'built' })
    await expectSound()
  })

  it('that is missed is in the next: it names the last that there is, and every day since', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-05'))
    const [second] = await chain()
    expect(second!.previous!.name).toBe('2026-03-02')
    expect(second!.days.map(({ date }) => date)).toEqual(['2026-03-03', '2026-03-04', '2026-03-05'])
    await expectSound()
  })

  it('that begins while the one before removes old files loses none of its own', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-03'))
    let isFirst = true
    const BOARD = around(env.BOARD, async (written) => {
      if (!written.startsWith('delete ') || !isFirst) return
      isFirst = false
      await build(nightAfter('2026-03-05'))
    })
    await build(nightAfter('2026-03-04'), { BOARD })
    expect(isFirst).toBe(false)
    expect((await published()).day).toBe('2026-03-05')
    await expectSound()
  })

  it('of a clock that was ahead is taken back by name', async () => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-09'))
    await build(nightAfter('2026-03-03'))
    const [third] = await chain()
    expect(third).toMatchObject({
      name: '2026-03-03',
      previous: { name: '2026-03-09' },
      days: [],
      rewritten: [{ from: '2026-03-04', to: '2026-03-09', reasons: [] }],
    })
    await build(nightAfter('2026-03-04'))
    expect((await chain())[0]!.days.map(({ date }) => date)).toEqual(['2026-03-04'])
    await expectSound()
  })

  it.each([
    ['the first file', 'put archive:'],
    ['the manifest in D1', 'batch'],
    ['the manifest in KV', 'put manifest:'],
    ['what names it', 'put archive'],
    ['the removal of an old file', 'delete archive:'],
  ])('that dies before it writes %s is ended by the next run', async (_, step) => {
    await seedWeek()
    await build(nightAfter('2026-03-02'))
    await build(nightAfter('2026-03-03'))
    const at = nightAfter('2026-03-04')
    await expect(buildUntil(step, at)).rejects.toThrow('died')
    // Whatever was left, readers have a whole night.
    for (const file of (await published()).files) await expectStored(file)

    await build(at + 60_000)
    await expectSound()
    expect(await chain()).toHaveLength(3)
    expect((await published()).day).toBe('2026-03-04')
    // No file stays that is not of the last two nights.
    await build(at + DAY_MS)
    const { keys } = await env.BOARD.list({ prefix: 'archive:' })
    expect(keys.length).toBeLessThanOrEqual(2 * (await published()).files.length)
  })
})

/** KV, with something done before each of its writes. */
function around(kv: KVNamespace, before: (written: string) => Promise<void>): KVNamespace {
  return new Proxy(kv, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
      if (name !== 'put' && name !== 'delete') return member.bind(target)
      return async (...args: unknown[]) => {
        await before(`${name} ${String(args[0])}`)
        return member.apply(target, args)
      }
    },
  })
}

/** A build that dies before its first write of a kind. */
function buildUntil(step: string, at: number) {
  const before = async (written: string) => {
    if (step.endsWith(':') ? written.startsWith(step) : written === step) throw new Error('died')
  }
  const DB = new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
      if (name !== 'batch') return member.bind(target)
      return async (statements: unknown[]) => {
        // The batch of four writes; the other one only reads.
        if (statements.length === 4) await before('batch')
        return member.call(target, statements)
      }
    },
  })
  return build(at, { BOARD: around(env.BOARD, before), DB })
}

async function expectStored(file: ArchivedFile): Promise<void> {
  const contents = await env.BOARD.get(archiveKey(file), 'arrayBuffer')
  expect(await sha256(new Uint8Array(contents!)), file.name).toBe(file.sha256)
}
