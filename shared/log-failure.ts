/**
 * Failures in the log: what kind, and where, but never a message or a stack (decision 38). A
 * message may hold SQL, drizzle's even the parameters of a query.
 */

import { ConfigError } from './config.ts'

/** What a failed database says that an operator can act on. */
const KINDS: readonly [kind: string, sign: RegExp][] = [
  ['overloaded', /overloaded|too many requests/i],
  ['timeout', /timed? ?out|timeout|exceeded/i],
  ['connection', /connection lost|reset|Cannot resolve/i],
  ['constraint', /constraint/i],
  ['schema', /no such (table|column)/i],
]

/**
 * One JSON line: `{"event","kind","at"}`. `at` is our own function's name, where it is known;
 * `about` are further fields;
 * what is wrong with the configuration is said, for it repeats no secret.
 */
export function logFailure(
  event: string,
  error: unknown,
  about: Readonly<Record<string, string>> = {},
): void {
  console.error(JSON.stringify({ event, ...about, ...kindOfFailure(error) }))
}

/** What kind of failure it is, and in which of our functions. */
export function kindOfFailure(error: unknown): {
  kind: string
  at: string | undefined
  problem?: string
} {
  const { name, message, cause } = error as Error
  const text = `${message} ${cause instanceof Error ? cause.message : ''}`
  const kind = KINDS.find(([, sign]) => sign.test(text))?.[0] ?? name
  const problem = error instanceof ConfigError ? { problem: message } : {}
  return { kind, at: functionOf(error as Error), ...problem }
}

/** The function in which the error was made, without file or line. */
function functionOf({ stack }: Error): string | undefined {
  return /^\s+at (?:async )?([\w.$<>]+) \(/m.exec(stack ?? '')?.[1]
}
