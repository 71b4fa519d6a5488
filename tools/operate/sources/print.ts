import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { SourceCheck } from './check.ts'
import { readingLine } from './reading-line.ts'

/** How many readings a line shows. */
const SHOWN = 3

/** A check in one line: the name, what was read and how old it is, or what failed. */
export function checkLine({ name, readings, ageMs, failure }: SourceCheck): string {
  const start = `${failure ? 'FAILED' : 'ok    '}  ${name.padEnd(26)}`
  if (failure) return `${start}  ${failure.kind}: ${failure.message}`
  if (readings.length === 0) return `${start}  nothing today, as the upstream says`

  const more = readings.length > SHOWN ? ` and ${readings.length - SHOWN} more` : ''
  const age = ageMs === null ? 'no date' : ageText(ageMs)
  const shown = readings.slice(0, SHOWN).map(readingLine).join('; ')
  return `${start}  ${age.padEnd(8)}  ${shown}${more}`
}

/** An age in its largest unit, rounded down: `7 min`, `3 d`. */
function ageText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`
}
