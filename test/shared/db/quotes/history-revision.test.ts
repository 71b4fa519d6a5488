import { beforeEach, expect, it } from 'vitest'
import { correctPoint } from '../../../../tools/operate/import/corrections.ts'
import { historyRevisionStatement } from '../../../../shared/db/quotes/history-revision.ts'
import { NOON, blue, cycleAt, later, shownBoard } from '../../../support/cycle-deps.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'

const POINT = '2026-02-27 11:00'
const historyRevision = () => historyRevisionStatement(env.DB).first<number>('revision')
const published = async () => (await shownBoard())?.historyRevision

beforeEach(() => seedPoints('usd/blue', [POINT, 1390, 1410]))

it('the revision of the past grows with a correction and is on the board of each cycle, which leaves it alone', async () => {
  const before = await historyRevision()
  await cycleAt(NOON, 1430)
  await cycleAt(later(1), 1440)
  expect([await published(), await historyRevision()]).toEqual([before, before])

  const where = { pair: blue, at: art(POINT), reason: 'test', now: NOON }
  await correctPoint(env.DB, { ...where, value: { buy: 1, sell: 2 } })
  expect(await historyRevision()).toBeGreaterThan(before!)
  expect(await published()).toBe(before)
  await cycleAt(later(2), 1430)
  expect(await published()).toBe(await historyRevision())
})
