/** The work of each cron; a turn that hangs ends. */
import { recordCycleAt } from '../support/nightly-files.ts'
import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { CRONS } from '../../shared/cron.ts'
import { createDelivery, platform } from '../../workers/delivery/delivery.ts'
import { createScraper } from '../../workers/scraper/scraper.ts'
import { NOON } from '../support/cycle-deps.ts'
import { marketFetch } from '../support/market.ts'
import { seedCloses } from '../support/points.ts'
import { env } from '../support/env.ts'
import { hanging } from '../support/faulty-database.ts'
import { art } from '../support/instant.ts'
import { insertDelivery, seedNotice, seedWebhook } from '../support/webhooks.ts'

const NIGHT = art('2026-03-03 00:04')

it.each([
  [CRONS.cycle, { asked: true, files: false, events: expect.arrayContaining(['cycle']) }],
  [CRONS.files, { asked: false, files: true, events: ['nightly_files'] }],
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
  expect({ asked, files: (await env.BOARD.get('files')) !== null, events }).toEqual(expected)
})

it.each([
  ['D1', CRONS.cycle, 'DB', 'cycle_failed'],
  ['KV', CRONS.files, 'BOARD', 'nightly_files_failed'],
  ['D1', CRONS.sweep, 'DB', 'sweep_failed'],
  ['D1', 'queue', 'DB', 'claim_failed'],
  // Only the step that hangs is given up; all other work is done.
  ['KV', CRONS.cycle, 'BOARD', 'publish_failed', 'cycle'],
  ['the queue', CRONS.cycle, 'DELIVERIES', 'enqueue_failed', 'cycle'],
  ['the queue', CRONS.sweep, 'DELIVERIES', 'enqueue_failed', 'notice_sent'],
])('when %s hangs, %s ends and logs it: %s %s', async (_, cron, binding, event, done?: string) => {
  const at = cron === CRONS.files ? NIGHT : NOON
  const now = () => at
  await recordCycleAt(env.DB, at - MINUTE_MS, 'live')
  await seedCloses('usd/blue', ['2026-03-01', 1420, 1440])
  await insertDelivery(await seedWebhook(), { lookAt: at })
  await seedNotice()
  const asked = vi.fn()
  const never = () => (asked(), new Promise<never>(() => {}))
  const hung = {
    DB: hanging(asked),
    BOARD: { get: (key: string) => env.BOARD.get(key), put: never },
    DELIVERIES: { sendBatch: never },
  }[binding]
  const mail = { EMAIL: { send: async () => {} }, MAIL_FROM: 'avisos@cotizaciones.test' }
  const given = { ...env, ...mail, WEBHOOK_ADMISSION: 'open', [binding]: hung } as never
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  const controller = { cron, scheduledTime: at } as ScheduledController
  const message = { body: { v: 1, deliveryId: 1 }, attempts: 1, retry: () => {} }
  const batch = { messages: [message] } as unknown as MessageBatch
  const run =
    {
      [CRONS.sweep]: () => createDelivery({ ...platform, now }).scheduled(controller, given),
      queue: () => createDelivery(platform).queue(batch, given, {} as ExecutionContext),
    }[cron] ?? (() => createScraper({ now, fetch: marketFetch(1430) }).scheduled(controller, given))
  const ended = done
    ? expect(run()).resolves.toBeUndefined()
    : expect(run()).rejects.toThrow(/^timed out after \d+ s$/)
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
  await ended
  vi.useRealTimers()

  const linesOf = ({ mock }: typeof log) => mock.calls.map(([line]) => JSON.parse(String(line)))
  expect(linesOf(error)).toContainEqual(expect.objectContaining({ event, kind: 'timeout' }))
  if (done) expect(linesOf(log)).toContainEqual(expect.objectContaining({ event: done }))
  log.mockRestore()
  error.mockRestore()
})
