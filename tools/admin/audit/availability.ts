import { argentineDay, DAY_MS, type Day } from '../../../shared/argentine-time.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'
import { type Check, CLOCK_SLACK_MS, foundBroken } from './check.ts'

/**
 * Each cycle settles the time since the one before, so a day between two others that are counted
 * adds up to its 24 hours exactly; the first day began with the first cycle, today is not over.
 */
export const availabilityCheck: Check = {
  name: 'every day’s availability adds up to the day',
  async run({ db, now }) {
    const { results } = await db
      .prepare('select day, ok, degraded, down from availability order by day')
      .all<DayAvailability>()
    const today = argentineDay(now + CLOCK_SLACK_MS)
    const broken = results.filter((row, index) => {
      const counted = row.ok + row.degraded + row.down
      const isWhole =
        index > 0 && index < results.length - 1 && isNext(results[index - 1]!.day, row.day)
      return (
        Math.min(row.ok, row.degraded, row.down) < 0 ||
        counted > DAY_MS ||
        (isWhole && counted !== DAY_MS) ||
        row.day > today
      )
    })
    return foundBroken(
      results.length,
      broken.map(({ day }) => day),
    )
  },
}

function isNext(before: Day, day: Day): boolean {
  return Date.parse(day) - Date.parse(before) === DAY_MS
}
