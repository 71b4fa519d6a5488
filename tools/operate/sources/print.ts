import type { SourceCheck } from './check.ts'
import { readingLine } from './reading-line.ts'

/** How many readings a line shows. */
const SHOWN = 3

/** A check in one line: the name and what was read, or what failed. */
export function checkLine({ name, readings, failure }: SourceCheck): string {
  const start = `${failure ? 'FAILED' : 'ok    '}  ${name.padEnd(26)}`
  if (failure) return `${start}  ${failure.kind}: ${failure.message}`
  if (readings.length === 0) return `${start}  nothing today, as the upstream says`

  const more = readings.length > SHOWN ? ` and ${readings.length - SHOWN} more` : ''
  const shown = readings.slice(0, SHOWN).map(readingLine).join('; ')
  return `${start}  ${shown}${more}`
}
