import { type Instant, isDay } from '../../../shared/argentine-time.ts'
import { findPairByKey, type Pair } from '../../../shared/market/catalog.ts'
import { CommandError } from '../../support/arguments.ts'

export function readPair(key: string): Pair {
  const pair = findPairByKey(key)
  if (!pair) throw new CommandError(`no pair ${key} in the catalogue`)
  return pair
}

/** A parser for an option that names a day. */
export function day(name: string) {
  return (text: string): string => {
    if (!isDay(text)) throw new CommandError(`${name} needs a day, YYYY-MM-DD`)
    return text
  }
}

/** The parser of `--since`. */
export function readSince(text: string): Instant {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new CommandError('--since needs an instant: 2026-11-21T12:00:00Z')
  return at
}
