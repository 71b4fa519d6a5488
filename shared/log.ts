/**
 * The log: one JSON object a line, with its `event`. Fields are ids, outcomes and durations, never
 * a URL, a secret, a body or the message of an error, which may hold any of them (decision 38: no
 * secrets in logs).
 */
import { ConfigError } from './config/config-error.ts'

type Value = string | number | boolean | null | undefined | readonly Value[] | Fields

interface Fields {
  readonly [name: string]: Value
}

export function log(event: string, fields: Fields): void {
  console.log(JSON.stringify({ event, ...fields }))
}

export function warn(event: string, fields: Fields): void {
  console.warn(JSON.stringify({ event, ...fields }))
}

/** Logs a failure by `kindOfFailure`: a message may hold SQL, drizzle's even its parameters. */
export function logFailure(event: string, error: unknown, fields: Fields = {}): void {
  console.error(JSON.stringify({ event, ...fields, ...kindOfFailure(error) }))
}

/** The class of an error. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Kinds of database failures that an operator can act on. */
const KINDS: readonly [kind: string, sign: RegExp][] = [
  ['overloaded', /overloaded|too many requests/i],
  ['timeout', /timed? ?out|timeout|exceeded/i],
  ['connection', /connection lost|reset|Cannot resolve/i],
  ['constraint', /constraint/i],
  ['schema', /no such (table|column)/i],
]

/**
 * What the log says of a failure: its kind, and our function in which it happened. The sentence of
 * a `ConfigError` is added, for it holds no secret.
 */
export function kindOfFailure(error: unknown): {
  kind: string
  at: string | undefined
  problem?: string
} {
  if (!(error instanceof Error)) return { kind: nameOf(error), at: undefined }

  const { message, cause } = error
  const text = `${message} ${cause instanceof Error ? cause.message : ''}`
  const kind = KINDS.find(([, sign]) => sign.test(text))?.[0] ?? error.name
  const problem = error instanceof ConfigError ? { problem: message } : {}
  return { kind, at: functionOf(error), ...problem }
}

/** The function in which the error was made, without file or line. */
function functionOf({ stack }: Error): string | undefined {
  return /^\s+at (?:async )?([\w.$<>]+) \(/m.exec(stack ?? '')?.[1]
}
