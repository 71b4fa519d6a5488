import { expect, it } from 'vitest'
import { DAY_MS, formatArgentine, MINUTE_MS } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import { NOW as MADE_AT, insertDelivery, seedWebhook } from '../support/webhooks.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/faulty-database.ts'
import { art } from '../support/instant.ts'
import { everyQuote, seedBoard } from '../support/board.ts'

/** A Monday at a time in all pairs' hours. */
const NOON = art('2026-03-02 14:30')

const confirmedAt = (instant: number) => everyQuote({ lastScrapedAt: formatArgentine(instant) })

const missed = { status: 'degraded', reason: 'cycle_missed' }
const downFor = (reason: string) => ({ status: 'down', reason })

async function readStatus(now: number) {
  const edge = openEdge({ now })
  const status = await edge.json('/api/v2/status')
  const ready = await edge.fetch('/api/v2/ready')
  expect(ready.status, status.status).toBe(status.status === 'down' ? 503 : 200)
  expect(ready.headers.get('Cache-Control')).toBe('no-store')
  return status
}

it('the status is ok when every pair was confirmed within its time', async () => {
  await seedBoard(NOON, { quotes: confirmedAt(NOON - MINUTE_MS) })

  const status = await readStatus(NOON)
  expect(status.status).toBe('ok')
  expect(status.mode).toBe('live')
  expect(status.pairs).toHaveLength(19)
  expect(status.pairs[2]).toEqual({
    currency: 'USD',
    origin: 'BLUE',
    updatedAt: '2026-03-02T11:55:00.000-03:00',
    lastScrapedAt: '2026-03-02T14:29:00.000-03:00',
    fresh: true,
    source: 'ambito-blue',
    held: false,
  })
})

const HOLIDAY = { day: '2026-11-09', name: 'Día', isHoliday: true, exchanges: false }
const late = NOON - 16 * MINUTE_MS
const night = art('2026-03-01 03:00')
const STALE_BLUE = expect.objectContaining({ origin: 'BLUE', fresh: false, held: false })
const NEVER_QUOTED = expect.objectContaining({ fresh: false, lastScrapedAt: null, source: null })
const lateBlue = confirmedAt(NOON).with(2, confirmedAt(late)[2]!)
it.each<[what: string, expected: object, at: number, changes: Partial<Board>, now?: number]>([
  [
    'a pair confirmed too long ago',
    { status: 'degraded', pairs: expect.arrayContaining([STALE_BLUE]) },
    NOON,
    { quotes: lateBlue },
  ],
  [
    'one never quoted',
    { status: 'degraded', pairs: expect.arrayContaining([NEVER_QUOTED]) },
    NOON,
    { quotes: confirmedAt(NOON).slice(1) },
  ],
  ['none fresh', downFor('no_pair_fresh'), NOON, { quotes: confirmedAt(NOON - DAY_MS) }],
  ['no source that answered', downFor('no_source_answered'), NOON, { anySourceAnswered: false }],
  ['an old board', downFor('board_too_old'), late, {}],
  ['a cycle that was given up', missed, NOON - 8.5 * MINUTE_MS - 1, {}],
  ['a cycle that takes its time', { status: 'ok', reason: null }, NOON - 8.5 * MINUTE_MS, {}],
  ['no board', { ...downFor('no_board'), mode: null, sources: [] }, NaN, {}],
  [
    'days on which the list of holidays and the calendar differ',
    { calendar: { added: ['2026-11-09'], lacking: ['2026-11-23'], mayBeHoliday: null } },
    NOON,
    { decreed: [HOLIDAY], lacking: ['2026-11-23'] },
  ],
  ['a wrong clock', downFor('clock'), NOON, { clockWrong: true }],
  ['a clock that differs by seconds', { status: 'ok', reason: null }, NOON + 5000, {}],
  // All hours count when every cycle requests every source.
  [
    'a demo at night',
    { status: 'down' },
    night,
    { mode: 'demo', quotes: confirmedAt(night - 16 * MINUTE_MS) },
    night,
  ],
  [
    'pairs of the evening, at night',
    { pairs: expect.arrayContaining([expect.objectContaining({ origin: 'BLUE', fresh: true })]) },
    night,
    { quotes: confirmedAt(art('2026-02-28 22:00')) },
    night,
  ],
])('the status with %s is %o', async (_, expected, at, changes, now = NOON) => {
  if (!Number.isNaN(at)) await seedBoard(at, { quotes: confirmedAt(NOON), ...changes })
  expect(await readStatus(now)).toMatchObject(expected)
})

it('the status counts the deliveries, and repeats the counts for ten seconds', async () => {
  await seedBoard(NOON)
  const edge = openEdge({ now: NOON })
  const counts = async () => (await edge.json('/api/v2/status')).deliveries

  const sent = { deliveredLastHour: 0, deadLastHour: 0 }
  const none = { canSend: true, outstanding: 0, oldestWaitingAt: null, ...sent }
  expect(await counts()).toEqual(none)

  await insertDelivery(await seedWebhook())
  await env.DB.prepare('insert into delivery_tallies (at, delivered, dead) values (?, 7, 2)')
    .bind(NOON - 10 * MINUTE_MS)
    .run()
  edge.clock.now = NOON + 9_999
  expect(await counts()).toEqual(none)
  edge.clock.now = NOON + 10_000
  // A copy of a database sends nothing.
  await env.DB.prepare('insert into installation (id, delivers) values (1, 0)').run()
  expect(await counts()).toEqual({
    canSend: false,
    outstanding: 1,
    oldestWaitingAt: new Date(MADE_AT).toISOString(),
    deliveredLastHour: 7,
    deadLastHour: 2,
  })
})

it.each([
  ['the database fails', { DB: failing('overloaded') }, null, 200],
  ['the database has no tables', { DB: failing('no such table: service_mode') }, null, 503],
])('the status answers all the rest when %s', async (_, bindings, deliveries, ready) => {
  await seedBoard(NOON, { quotes: confirmedAt(NOON) })
  const edge = openEdge({ now: NOON, env: bindings })
  expect(await edge.json('/api/v2/status')).toMatchObject({ status: 'ok', deliveries })
  expect((await edge.fetch('/api/v2/ready')).status).toBe(ready)
})
