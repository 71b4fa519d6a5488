import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DATABASE, namespaceTitle } from '../deploy/plan.ts'
import { CommandError } from '../../support/arguments.ts'
import type { Storage } from './open-local.ts'
import { databaseOver, type SqlValue } from '../local/database-over.ts'

/** Linux accepts arguments of at most 128 KiB each. */
const MAX_COMMAND_BYTES = 120 * 1024

/**
 * The deployed D1 and KV, through wrangler with the operator's own sign-in. Finds them by name,
 * because the identifiers in wrangler.toml are local. `suffix` is the end of the names of a
 * separate deployment, such as `-staging`.
 */
export function openRemote(suffix = '', run: Wrangler = wrangler): Storage {
  return {
    db: remoteDatabase(run, DATABASE + suffix),
    kv: remoteNamespace(run, namespaceTitle(suffix)),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Runs wrangler, and returns what it prints. */
type Wrangler = (args: string[]) => Promise<string>

/** Writes the parameters into the SQL texts, because wrangler accepts no parameters. */
function remoteDatabase(run: Wrangler, database: string): D1Database {
  return databaseOver(async (queries) => {
    const command = queries
      .map(({ sql, values }) => inlineParameters(sql, values).replace(/;?\s*$/, ';'))
      .join('\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES)
      throw new CommandError('too much for one remote statement: give less at a time')

    const how = ['--remote', '--json', '--yes']
    const output = await run(['d1', 'execute', database, ...how, `--command=${command}`])
    return JSON.parse(output) as D1Result<Record<string, unknown>>[]
  })
}

/**
 * Replaces the parameters of a statement (`?` or `?N`) with literals. Does not change quoted texts,
 * quoted names and comments.
 */
export function inlineParameters(sql: string, values: readonly SqlValue[]): string {
  let next = 0

  return sql.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?(\d+)?/g,
    (token, number: string | undefined) => {
      if (!token.startsWith('?')) return token

      const index = number === undefined ? next : Number(number) - 1
      next = Math.max(next, index + 1)
      return sqlLiteral(values[index]!)
    },
  )
}

function sqlLiteral(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string')
    // SQLite ends a text literal at a NUL, so a text with a NUL is written as bytes.
    return value.includes('\0')
      ? `CAST(X'${Buffer.from(value, 'utf8').toString('hex')}' AS TEXT)`
      : `'${value.replaceAll("'", "''")}'`
  const number = Number(value)
  if (!Number.isFinite(number)) throw new RangeError('a parameter has no value, or no finite one')
  // In parentheses, because `a-?` with -1 would become a comment (`a--1`).
  return number < 0 ? `(${number})` : String(number)
}

/** The part of KV that commands use. */
function remoteNamespace(run: Wrangler, title: string): KVNamespace {
  let listed: Promise<string> | undefined
  async function get(name: string): Promise<string> {
    listed ??= run(['kv', 'namespace', 'list'])
    const all = JSON.parse(await listed) as { id: string; title: string }[]
    const namespace = `--namespace-id=${all.find((one) => one.title === title)?.id}`
    return run(['kv', 'key', 'get', name, '--text', '--remote', namespace])
  }
  // Wrangler fails for a key that does not exist.
  return { get: (name: string) => get(name).catch(() => null) } as unknown as KVNamespace
}

/** Error messages do not contain the SQL, which may contain an e-mail address or a digest. */
async function wrangler(args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('wrangler', args, {
      maxBuffer: 256 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { code } = error as { code?: number | string }
    throw new CommandError(
      `wrangler ${args.slice(0, 2).join(' ')} failed (${code}): is 'wrangler login' done, and is the service deployed?`,
    )
  }
}
