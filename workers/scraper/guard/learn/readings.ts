/** What is known of the sources with the readings of a cycle. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import { isSameLevel } from '../level.ts'
import { MOST_SOURCES, newSource, type SourceMemory } from '../memory.ts'

/** Counting of minutes stops here: a month of asking. */
const LONGEST = 43_200

/** Sources of this cycle first, in their order; memory holds so many and no more. */
export function recordReadings(
  before: readonly SourceMemory[],
  candidates: readonly Candidate[],
  now: Instant,
): SourceMemory[] {
  const read = candidates.map(
    ({ source: name, provenance, sameDefinition, onlySell = false, buy, sell }) => {
      const known = before.find((one) => one.name === name)
      const said = { name, provenance, sameDefinition, onlySell, buy, sell }
      if (!known) return newSource(said, now)

      const minutes = minutesOf(now - known.seenAt)
      const claim = { ...known.claim, minutes: capped(known.claim.minutes + minutes) }
      if (isSameLevel(known, said)) {
        return { ...known, ...said, seenAt: now, stood: capped(known.stood + minutes), claim }
      }

      const interval = intervalAfter(known.habits.interval, known.stood + minutes)
      return {
        ...known,
        ...said,
        claim,
        seenAt: now,
        since: now,
        stood: 0,
        before: { buy: known.buy, sell: known.sell, since: known.since, doubted: known.doubted },
        cameFrom: known.doubted ? known.cameFrom : { buy: known.buy, sell: known.sell },
        copied: false,
        leftBehind: false,
        habits: { ...known.habits, interval },
      }
    },
  )
  const silent = before.filter(({ name }) => !read.some((one) => one.name === name))
  return [...read, ...silent].slice(0, MOST_SOURCES)
}

/** A longer pause is a night or a holiday, in which nobody asked; a clock may go backwards. */
function minutesOf(pause: number): number {
  return pause > 0 && pause <= HOUR_MS ? Math.round(pause / MINUTE_MS) : 0
}

/** Each new interval moves the usual one by a tenth, whatever its length. */
function intervalAfter(interval: number, stood: number): number {
  return capped(Math.round(stood > interval ? interval * 1.1 + 0.5 : interval * 0.9 + 0.5))
}

function capped(minutes: number): number {
  return Math.min(minutes, LONGEST)
}
