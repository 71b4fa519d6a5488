import { beforeEach, expect, it } from 'vitest'
import { type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { BOARD_KEY, parseBoard } from '../../../../shared/board/board.ts'
import { replacePoint } from '../../../../shared/db/quotes/corrections.ts'
import { historyRevisionStatement } from '../../../../shared/db/quotes/history-revision.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { runCycle } from '../../../../workers/scraper/cycle.ts'
import { cycleDeps } from '../../../support/cycle-deps.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { marketFetch } from '../../../support/market.ts'
import { seedPoints } from '../../../support/points.ts'

const NOON = art('2026-03-02 12:00')
const POINT = '2026-02-27 11:00'
const blue = findPairByKey('usd/blue')!

const cycle = (at: Instant, sell = 1430) =>
  runCycle(env, cycleDeps({ now: () => at, fetch: marketFetch({ blue: [1410, sell] }) }), at)
const historyRevision = () => historyRevisionStatement(env.DB).first<number>('revision')
const published = async () => parseBoard(await env.BOARD.get(BOARD_KEY))?.historyRevision

beforeEach(() => seedPoints('usd/blue', [POINT, 1390, 1410]))

it('the revision of the past grows with a correction and is on the board of each cycle, which leaves it alone', async () => {
  const before = await historyRevision()
  await cycle(NOON)
  await cycle(NOON + 5 * MINUTE_MS, 1440)
  expect([await published(), await historyRevision()]).toEqual([before, before])

  const where = { pair: blue, at: art(POINT), reason: 'test', now: NOON }
  await replacePoint(env.DB, { ...where, buy: 1, sell: 2 })
  expect(await historyRevision()).toBeGreaterThan(before!)
  expect(await published()).toBe(before)
  await cycle(NOON + 10 * MINUTE_MS)
  expect(await published()).toBe(await historyRevision())
})
