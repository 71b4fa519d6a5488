/**
 * The log: one JSON object per line, with its `event`. Fields are ids, outcomes and durations,
 * never a URL, a secret or a body. `withoutContents` removes these from messages of errors
 * (decision 38: no internals).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ConfigError } from './config/config.ts'

type Value = string | number | boolean | null | undefined | readonly Value[] | Fields

interface Fields {
  readonly [name: string]: Value
}

export function log(event: string, fields: Fields): void {
  console.log(line(event, fields))
}

export function warn(event: string, fields: Fields): void {
  console.warn(line(event, fields))
}

export function logFailure(event: string, error: unknown, fields: Fields = {}): void {
  console.error(line(event, { ...fields, ...describeFailure(error) }))
}

function line(event: string, fields: Fields): string {
  return JSON.stringify({ event, request: requestId(), ...fields })
}

const requests = new AsyncLocalStorage<{ request: Request; id?: string }>()

/** Runs the handler of a request. Each line that it logs has the request's id. */
export function inRequest<Answer>(request: Request, handle: () => Answer): Answer {
  // In `standalone` the site answers within the edge's request.
  return requests.getStore() ? handle() : requests.run({ request }, handle)
}

const RAY = /^[\da-f]{16}(-[A-Z]{3})?$/

/** The request's id: the platform's ray id if it has one, as in the platform's own logs. */
export function requestId(): string | undefined {
  const current = requests.getStore()
  if (!current) return undefined
  if (current.id === undefined) {
    const ray = current.request.headers.get('CF-Ray') ?? ''
    current.id = RAY.test(ray) ? ray : crypto.randomUUID()
  }
  return current.id
}

/** Kinds of failures of D1 and KV that an operator can act on. */
const KINDS: readonly [kind: string, sign: RegExp][] = [
  ['full', /SQLITE_FULL|disk is full|maximum (db|database) size|ENOSPC/i],
  ['quota', /daily .*limit|limit .*for the day|quota/i],
  ['locked', /SQLITE_(BUSY|LOCKED)|database (table )?is locked/i],
  ['readonly', /SQLITE_READONLY|readonly database|read-only/i],
  ['overloaded', /overloaded|too many requests/i],
  ['unavailable', /^KV \w+ failed: 5\d\d|internal error; reference/],
  ['timeout', /timed? ?out|timeout|exceeded/i],
  ['connection', /connection lost|reset|Cannot resolve/i],
  ['constraint', /constraint/i],
  ['schema', /no such (table|column)/i],
]

interface Failure extends Fields {
  /** One of `KINDS`, or the error's class. */
  kind: string
  message?: string
  /** The innermost functions, with their files and lines. */
  stack?: readonly string[]
  cause?: Failure
}

/** How many nested causes are logged: drivers put the real error in the cause of a cause. */
const CAUSES = 2

/** The part of a failure that may be logged. */
export function describeFailure(error: unknown, causes = CAUSES): Failure {
  if (!(error instanceof Error)) return { kind: typeof error }

  const { message, cause } = error
  const text = `${message} ${cause instanceof Error ? cause.message : ''}`
  return {
    kind: KINDS.find(([, sign]) => sign.test(text))?.[0] ?? error.name,
    // The message of a `ConfigError` contains no secret.
    message: error instanceof ConfigError ? message : withoutContents(message),
    stack: framesOf(error),
    ...(cause instanceof Error && causes > 0 && { cause: describeFailure(cause, causes - 1) }),
  }
}

const MESSAGE_LENGTH = 200

/** Where a statement or its parameters begin in a message. */
const STATEMENT =
  /\b(select|insert (or \w+ )?into|replace into|update \S+ set|delete from|with \S+ *(\(.*\))? *as|create|alter|drop|pragma|param(eter)?s?\b *[:=])[\s\S]*/i
/**
 * From the first quotation mark to the last, because quoted text may contain quotation marks. An
 * apostrophe in a word is not a quotation mark. The marks are escaped here, because V8 parses an
 * all-ASCII bundle faster and esbuild does not escape regular expressions.
 */
const QUOTED = /(["`\u00ab\u201c\u2018]|(?<!\w)')([\s\S]*["'`\u00bb\u201d\u2019]|[\s\S]*$)/
const ADDRESS = /\S*(:\/\/|@|www\.)\S*/g
/** Keys, ids and digests. */
const CODE = /(?=\S*\d)(?=\S*[a-z])[\w+/=.-]{6,}|[\w+/=-]{25,}/gi
/** D1_ERROR, SQLITE_CONSTRAINT_UNIQUE. */
const ERROR_CODE = /^[A-Z][A-Z\d]*(_[A-Z]+)+$/

/** Removes what may come from a request or a database: SQL, parameters, URLs, quoted text, ids. */
function withoutContents(message: string): string {
  return message
    .replace(STATEMENT, '…')
    .replace(QUOTED, '…')
    .replace(ADDRESS, '…')
    .replace(CODE, (word) => (ERROR_CODE.test(word) ? word : '…'))
    .replaceAll(/\s+/g, ' ')
    .slice(0, MESSAGE_LENGTH)
}

const FRAMES = 8

/** `readBoard (shared/board/board.ts:12:7)`, without the message at the start of the stack. */
function framesOf({ message, stack = '' }: Error): string[] {
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n')
  return frames
    .flatMap((frame) => {
      const [, name, file] = /^ +at (?:async )?(?:(\S.*) \()?(\S+:\d+:\d+)\)?$/.exec(frame) ?? []
      if (file === undefined || /node_modules|^(node|cloudflare)(-\w+)?:/.test(file)) return []
      const path = file.replace(/^.*\/(?=(shared|workers|tools|test)\/)|^.*\//, '')
      return [name === undefined ? path : `${name} (${path})`]
    })
    .slice(0, FRAMES)
}

/** For settings of optional features: logs a wrong value, and returns undefined as if absent. */
export function orAbsent<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error

    logFailure('config_error', error)
    return undefined
  }
}
