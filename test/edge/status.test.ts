import { describe, expect, it } from 'vitest'
import { DAY_MS, formatArgentine, MINUTE_MS } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { NOW as MADE_AT, insertDelivery, seedWebhook } from '../support/webhooks.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/failing-database.ts'
import { art } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/seed.ts'

/** A Monday inside everybody's hours. */
const NOON = art('2026-03-02 14:30')

const confirmedAt = (instant: number) =>
  PAIRS.map(({ currency, origin }) =>
    aBoardQuote(`${currency}/${origin}`, { lastScrapedAt: formatArgentine(instant) }),
  )

// oxlint-disable-next-line typescript/no-explicit-any -- what the tests are about
async function readStatus(now: number): Promise<any> {
  const response = await openEdge({ now }).fetch('/api/v2/status')
  expect(response.status).toBe(200)
  return response.json()
}

describe('GET /api/v2/status', () => {
  it('is ok when every pair was confirmed within its time', async () => {
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

  it('is degraded when a pair was confirmed too long ago, in its hours, or never quoted', async () => {
    const quotes = confirmedAt(NOON)
    quotes[2] = { ...quotes[2]!, lastScrapedAt: formatArgentine(NOON - 16 * MINUTE_MS) }
    await seedBoard(NOON, { quotes })
    expect((await readStatus(NOON)).status).toBe('degraded')
    await seedBoard(NOON, { quotes: quotes.slice(1) })

    const status = await readStatus(NOON)
    expect(status.status).toBe('degraded')
    expect(status.pairs.filter(({ fresh }: { fresh: boolean }) => !fresh)).toMatchObject([
      { origin: 'OFICIAL', lastScrapedAt: null, source: null },
      { origin: 'BLUE', source: 'ambito-blue' },
    ])
  })

  const down: [string, number, Partial<Board>, reason: string][] = [
    ['no pair is fresh', NOON, { quotes: confirmedAt(NOON - DAY_MS) }, 'no_pair_fresh'],
    ['no source answered', NOON, { anySourceAnswered: false }, 'no_source_answered'],
    ['the board is old', NOON - 16 * MINUTE_MS, {}, 'board_too_old'],
    ['a clock is wrong', NOON, { clockWrong: true }, 'clock'],
  ]
  it.each(down)('is down when %s, and says why', async (_, at, board, reason) => {
    await seedBoard(at, { quotes: confirmedAt(NOON), ...board })
    expect(await readStatus(NOON)).toMatchObject({ status: 'down', reason })
  })

  it('names the days on which the archive of holidays and the calendar differ', async () => {
    const decreed = [{ day: '2026-11-09', name: 'Día', isHoliday: true, exchanges: false }]
    await seedBoard(NOON, { quotes: confirmedAt(NOON), decreed, lacking: ['2026-11-23'] })
    expect((await readStatus(NOON)).calendar).toEqual({
      added: ['2026-11-09'],
      lacking: ['2026-11-23'],
      mayBeHoliday: null,
    })
  })

  it('is not down for a machine whose clock differs by seconds', async () => {
    await seedBoard(NOON + 5000, { quotes: confirmedAt(NOON) })
    expect(await readStatus(NOON)).toMatchObject({ status: 'ok', reason: null })
  })

  it('is down, with 200, when there is no board', async () => {
    expect(await readStatus(NOON)).toMatchObject({
      status: 'down',
      reason: 'no_board',
      mode: null,
      sources: [],
    })
  })

  it('counts all hours when every source is asked in every cycle', async () => {
    const night = art('2026-03-01 03:00')
    await seedBoard(night, { mode: 'demo', quotes: confirmedAt(night - 16 * MINUTE_MS) })
    expect((await readStatus(night)).status).toBe('down')

    await seedBoard(night, { mode: 'live', quotes: confirmedAt(art('2026-02-28 22:00')) })
    expect((await readStatus(night)).pairs[2].fresh).toBe(true)
  })

  it('counts the deliveries, and keeps the counts ten seconds', async () => {
    await seedBoard(NOON)
    const edge = openEdge({ now: NOON })
    const counts = async () => (await (await edge.fetch('/api/v2/status')).json<any>()).deliveries

    const none = {
      canSend: true,
      outstanding: 0,
      oldestWaitingAt: null,
      deliveredLastHour: 0,
      deadLastHour: 0,
    }
    expect(await counts()).toEqual(none)

    await insertDelivery(await seedWebhook())
    await env.DB.prepare('insert into delivery_tallies (at, delivered, dead) values (?, 7, 2)')
      .bind(NOON - 10 * MINUTE_MS)
      .run()
    edge.clock.now = NOON + 9_999
    expect(await counts()).toEqual(none)
    edge.clock.now = NOON + 10_000
    expect(await counts()).toEqual({
      canSend: true,
      outstanding: 1,
      oldestWaitingAt: new Date(MADE_AT).toISOString(),
      deliveredLastHour: 7,
      deadLastHour: 2,
    })
  })

  it('answers all the rest, with null for deliveries, when the database fails', async () => {
    await seedBoard(NOON, { quotes: confirmedAt(NOON) })
    const edge = openEdge({ now: NOON, env: { DB: failing('overloaded') } })

    const status = await (await edge.fetch('/api/v2/status')).json<any>()
    expect(status).toMatchObject({ status: 'ok', deliveries: null })
  })

  it('says so when the way out of deliveries is not there', async () => {
    await seedBoard(NOON)
    const EGRESS = { fetch: () => Promise.reject(new Error('no such socket')) }
    const edge = openEdge({ now: NOON, env: { EGRESS } as never })
    const status = await (await edge.fetch('/api/v2/status')).json<any>()
    expect(status.deliveries).toMatchObject({ canSend: false })
  })
})
