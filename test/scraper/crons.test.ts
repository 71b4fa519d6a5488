/** What each cron of the scraper does: the cycle, the nightly files, and nothing for any other. */
import { recordCycleAt } from '../support/archive.ts'
import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { CRONS } from '../../shared/crons.ts'
import { createScraper } from '../../workers/scraper/scraper.ts'
import { seedCloses } from '../support/points.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'

const NIGHT = art('2026-03-03 00:04')

it.each([
  [CRONS.cycle, { asked: true, files: false, events: expect.arrayContaining(['cycle']) }],
  [CRONS.files, { asked: false, files: true, events: ['archive'] }],
  ['', { asked: false, files: false, events: ['unknown_cron'] }],
  [CRONS.sweep, { asked: false, files: false, events: ['unknown_cron'] }],
])('%j', async (cron, expected) => {
  await recordCycleAt(env.DB, NIGHT - MINUTE_MS, 'live')
  await seedCloses('usd/blue', ['2026-03-02', 1420, 1440])
  const fetch = vi.fn(async () => new Response(null, { status: 503 }))
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const scraper = createScraper({ now: () => NIGHT, fetch })
  await scraper.scheduled({ cron, scheduledTime: NIGHT } as ScheduledController, env)
  const events = log.mock.calls.map(([line]) => JSON.parse(String(line)).event as string)
  log.mockRestore()

  const asked = fetch.mock.calls.length > 0
  expect({ asked, files: (await env.BOARD.get('archive')) !== null, events }).toEqual(expected)
})
