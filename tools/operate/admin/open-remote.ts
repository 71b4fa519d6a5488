import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DATABASE, namespaceTitle } from '../deploy/plan.ts'
import { CommandError } from '../../support/arguments.ts'
import type { Storage } from './open-local.ts'
import { type Execute, remoteDatabase } from './remote-database.ts'

/** Linux takes one argument of at most 128 KiB. */
const MAX_COMMAND_BYTES = 120 * 1024

/**
 * The deployed D1 and KV, through wrangler and the operator's own sign-in. Finds them by name,
 * because the identifiers in wrangler.toml are local. `suffix` belongs to the names of another
 * deployment, such as `-staging`.
 */
export function openRemote(
  suffix = '',
  run: (args: string[]) => Promise<string> = wrangler,
): Storage {
  return {
    db: remoteDatabase(executeWith(run, DATABASE + suffix)),
    kv: remoteNamespace(run, namespaceTitle(suffix)),
    [Symbol.asyncDispose]: async () => {},
  }
}

function executeWith(run: (args: string[]) => Promise<string>, database: string): Execute {
  return async (statements) => {
    const command = statements.map((sql) => sql.replace(/;?\s*$/, ';')).join('\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES)
      throw new CommandError('too much for one remote statement: give less at a time')

    const how = ['--remote', '--json', '--yes']
    const output = await run(['d1', 'execute', database, ...how, `--command=${command}`])
    return JSON.parse(output) as D1Result<Record<string, unknown>>[]
  }
}

/** The part of KV that commands use. */
function remoteNamespace(
  run: (args: string[]) => Promise<string>,
  wantedTitle: string,
): KVNamespace {
  let id: Promise<string> | undefined
  async function find(): Promise<string> {
    const all = JSON.parse(await run(['kv', 'namespace', 'list'])) as {
      id: string
      title: string
    }[]
    const found = all.find(({ title }) => title === wantedTitle)
    if (!found) throw new CommandError(`there is no KV namespace ${wantedTitle}: is it deployed?`)
    return found.id
  }
  async function get(name: string): Promise<string> {
    const namespace = `--namespace-id=${await (id ??= find())}`
    return run(['kv', 'key', 'get', name, '--text', '--remote', namespace])
  }
  return { get: (name: string) => get(name).catch(() => null) } as unknown as KVNamespace
}

/** Keeps the command out of error messages: it may contain an e-mail address or a digest. */
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
