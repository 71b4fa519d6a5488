import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addDays, argentineDay } from '../../../../shared/argentine-time.ts'
import { hasEnded, spawnCommand } from '../../../../tools/support/process.ts'
import { until } from '../../../../tools/support/until.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { openPast } from '../../../../tools/operate/start/background-backfill.ts'
import { freePort } from '../../../../tools/support/listen.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'

const yearAgo = addDays(argentineDay(Date.now()), -365)

it('gives a new demo state its history once, although the first start was killed', async () => {
  using scratch = openScratch()
  const args = ['--demo', '--state', scratch.path, '--port', '0']
  const isBegun = () => existsSync(scratch.file('backfill-begun'))
  const killed = spawnCommand(process.execPath, ['tools/operate/start.ts', ...args])
  const patience = { everyMs: 1, atMostMs: 180_000, failure: 'no past was begun' }
  await until(() => isBegun() || hasEnded(killed.child), patience)
  killed.child.kill('SIGKILL')
  await killed.exited
  expect([isBegun(), killed.lines]).toEqual([true, []])

  const start = () => startService(['--demo'], { stateDir: scratch.path })
  await using service = await start()
  expect(isBegun()).toBe(false)
  expect(service.errors()).toMatch(/ backfill: \d+ points in [\d.]+ s$/m)
  const blue = (await json(service, '/api/v2/usd/blue')) as { change: unknown }
  expect(blue.change).not.toBeNull()
  const onDate = (await json(service, `/api/v2/date/${yearAgo}`)) as { sell: number | null }[]
  expect(onDate.filter(({ sell }) => sell !== null)).toHaveLength(19)
  const csv = await (await service.get('/usd/ccl/diario.csv')).text()
  expect(csv.trim().split('\n').length).toBeGreaterThan(600)
  expect(await json(service, '/api/v2/status')).toMatchObject({ status: 'ok', mode: 'demo' })

  await service.stop()
  await using again = await start()
  expect(isBegun()).toBe(false)
  expect(again.errors()).not.toContain(' backfill')
}, 400_000)

it('reports in one line that the public archives do not answer, and continues', async () => {
  await using storage = await openScratchStorage()
  using scratch = openScratch()
  const lines: string[] = []
  let cycles = 0
  const past = await openPast({
    ...storage,
    stateDir: scratch.path,
    mode: 'live',
    warn: (line) => lines.push(line),
    archives: `http://127.0.0.1:${await freePort()}`,
  })
  await past.fill(async () => cycles++, new AbortController().signal)

  expect(lines[0]).toBe(
    'backfill: fetching history from the public archives (--no-backfill leaves it out)',
  )
  expect(lines.at(-1)).toMatch(
    /^backfill: 0 points in [\d.]+ s; 16 series are missing \(.*api\.bcra\.gob\.ar does not answer \(ECONNREFUSED\).*\): npm run admin -- backfill goes on$/,
  )
  expect(cycles).toBe(1)
  // A start with a network continues the backfill.
  expect(existsSync(join(scratch.path, 'backfill-begun'))).toBe(true)
})

async function json(service: Service, path: string): Promise<unknown> {
  return (await service.get(path)).json()
}
