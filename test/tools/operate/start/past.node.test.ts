import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addDays, argentineDay } from '../../../../shared/argentine-time.ts'
import { until } from '../../../../tools/support/until.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { openPast } from '../../../../tools/operate/start/background-backfill.ts'
import { openArchives } from '../../../support/archives.ts'
import { inTurn } from '../../../../tools/operate/start/repeat.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'

const yearAgo = addDays(argentineDay(Date.now()), -365)

it('gives a new demo state its past once, though the first start was killed', async () => {
  // The past is filled after `ready`.
  using scratch = openScratch()
  const start = () => startService(['--demo'], { stateDir: scratch.path })
  const isBegun = () => existsSync(scratch.file('backfill-begun'))
  await (await start()).kill()
  expect(isBegun()).toBe(true)

  await using service = await start()
  // Reads answer meanwhile.
  expect((await service.get('/api/v2/quotes')).status).toBe(200)
  await until(() => !isBegun(), {
    everyMs: 500,
    // A start takes some four seconds; a machine that is busy with more is given more.
    atMostMs: Math.max(30_000, 4 * service.startMs),
    failure: 'the past is not whole',
  })
  expect(service.errors()).toMatch(/^backfill: \d+ points in [\d.]+ s$/m)
  await expect.poll(async () => (await blue(service)).change, { timeout: 30_000 }).not.toBeNull()
  const onDate = (await json(service, `/api/v2/date/${yearAgo}`)) as { sell: number | null }[]
  expect(onDate.filter(({ sell }) => sell !== null)).toHaveLength(19)
  const csv = await (await service.get('/usd/ccl/diario.csv')).text()
  expect(csv.trim().split('\n').length).toBeGreaterThan(600)
  expect(await json(service, '/api/v2/status')).toMatchObject({ status: 'ok', mode: 'demo' })

  await service.stop()
  await using again = await start()
  expect(isBegun()).toBe(false)
  expect(again.errors()).not.toMatch(/^backfill/m)
}, 400_000)

it('says in one line that the public archives do not answer, and goes on', async () => {
  await using storage = await openScratchStorage()
  using scratch = openScratch()
  const closed = await openArchives(0)
  await closed[Symbol.asyncDispose]()
  const lines: string[] = []
  let cycles = 0
  const past = await openPast({
    ...storage,
    stateDir: scratch.path,
    mode: 'live',
    market: { seed: 1, stepMs: 1 },
    warn: (line) => lines.push(line),
    archives: closed.url,
  })
  await past.fill(inTurn(), async () => cycles++)

  expect(lines[0]).toBe(
    'backfill: fetching history from the public archives (--no-backfill leaves it out)',
  )
  expect(lines.at(-1)).toMatch(
    /^backfill: 0 points in [\d.]+ s; 15 series are missing \(.*api\.bcra\.gob\.ar does not answer \(ECONNREFUSED\).*\): npm run admin -- backfill goes on$/,
  )
  expect(cycles).toBe(1)
  // A start with a network goes on.
  expect(existsSync(join(scratch.path, 'backfill-begun'))).toBe(true)
})

async function blue(service: Service): Promise<{ change: unknown }> {
  return (await json(service, '/api/v2/usd/blue')) as { change: unknown }
}

async function json(service: Service, path: string): Promise<unknown> {
  return (await service.get(path)).json()
}
