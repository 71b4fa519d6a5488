/** What each cron of the scraper does: the cycle, the nightly files, and nothing for any other. */
import { recordCycleAt } from '../support/archive.ts'
import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { CRONS } from '../../shared/crons.ts'
import { createScraper } from '../../workers/scraper/scraper.ts'
import { seedCloses } from '../support/candles.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'

const NIGHT = art('2026-03-03 00:04')

/** Runs a cron, and says what was asked of the sources, what was published and what was logged. */
async function run(cron: string) {
  await recordCycleAt(env.DB, NIGHT - MINUTE_MS, 'live')
  await seedCloses('usd/blue', ['2026-03-02', 1420, 1440])
  const fetch = vi.fn(async () => new Response(null, { status: 503 }))
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const scraper = createScraper({ now: () => NIGHT, fetch })
  await scraper.scheduled({ cron, scheduledTime: NIGHT } as ScheduledController, env)
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string })
  log.mockRestore()
  return {
    asked: fetch.mock.calls.length > 0,
    files: (await env.BOARD.get('archive')) !== null,
    events: lines.map(({ event }) => event),
    lines,
  }
}

it('runs the cycle by its cron, and makes no files', async () => {
  const { asked, files, events } = await run(CRONS.cycle)
  expect([asked, files]).toEqual([true, false])
  expect(events).toContain('cycle')
})

it('makes the files by theirs, and asks no source', async () => {
  const { asked, files, events } = await run(CRONS.files)
  expect([asked, files]).toEqual([false, true])
  expect(events).toEqual(['archive'])
})

it.each(['', '*/10 * * * *', '0 3 * * *', CRONS.sweep])(
  'does nothing by another, %j, and says so',
  async (cron) => {
    const { asked, files, lines } = await run(cron)
    expect([asked, files]).toEqual([false, false])
    expect(lines).toEqual([{ event: 'unknown_cron', cron }])
  },
)
