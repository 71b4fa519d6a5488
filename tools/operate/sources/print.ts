import type { SourceCheck } from './check.ts'

/** How many readings a line shows. */
const SHOWN = 3

/** A check in one line: the name, what was read and how old it is, or what failed. */
export function checkLine({
  name,
  ok,
  readings,
  ageSeconds,
  failure,
  message,
}: SourceCheck): string {
  const start = `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(26)}`
  if (!ok) return `${start}  ${failure}: ${message}`
  if (readings.length === 0) return `${start}  nothing today, as the upstream says`

  const more = readings.length > SHOWN ? ` and ${readings.length - SHOWN} more` : ''
  const age = ageSeconds === null ? 'no date' : ageText(ageSeconds)
  return `${start}  ${age.padEnd(8)}  ${readings.slice(0, SHOWN).join('; ')}${more}`
}

/** An age in its largest unit, rounded down: `7 min`, `3 d`. */
export function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}
