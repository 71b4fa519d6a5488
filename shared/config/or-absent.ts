import { ConfigError } from './config.ts'
import { logFailure } from '../log.ts'

/** For optional features: a wrong value is logged and counts as absent. */
export function orAbsent<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error

    logFailure('config_error', error)
    return undefined
  }
}
