import type { Big } from 'big.js'
import { argentineDay, type Day, type Instant } from '../../../../shared/argentine-time.ts'
import type { Documents } from '../pair-source.ts'

export interface DatedInput {
  value: Big
  day: Day
}

/** A document's number of exactly one day. */
export function inputOfDay(
  documents: Documents,
  source: string,
  name: string,
  day: Day,
): Big | null {
  return inputsOf(documents, source, name).find((input) => input.day === day)?.value ?? null
}

/** A document's newest number that is not of a future day, in whatever order the days come. */
export function newestInput(
  documents: Documents,
  source: string,
  name: string,
  now: Instant,
): DatedInput | null {
  const today = argentineDay(now)
  return inputsOf(documents, source, name)
    .filter((input) => input.day <= today)
    .reduce<DatedInput | null>(
      (newest, input) => (newest && newest.day >= input.day ? newest : input),
      null,
    )
}

function inputsOf(documents: Documents, source: string, name: string): DatedInput[] {
  return (documents.get(source) ?? []).flatMap((reading) =>
    reading.kind === 'input' && reading.name === name
      ? [{ value: reading.value, day: reading.day }]
      : [],
  )
}
