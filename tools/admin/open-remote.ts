import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AdminError } from './command.ts'
import type { Storage } from './open-local.ts'
import { type Execute, remoteDatabase } from './remote-database.ts'

/** Linux takes one argument of at most 128 KiB. */
const MAX_COMMAND_BYTES = 120 * 1024

/** The environment whose D1 and KV are used: all Workers share them. */
const ENVIRONMENT = 'scraper'

/** The deployed D1 and KV, through wrangler and the operator's own sign-in. */
export function openRemote(run: (args: string[]) => Promise<string> = wrangler): Storage {
  return {
    db: remoteDatabase(executeWith(run)),
    kv: remoteNamespace(run),
    [Symbol.asyncDispose]: async () => {},
  }
}

function executeWith(run: (args: string[]) => Promise<string>): Execute {
  return async (statements) => {
    const command = statements.map((sql) => sql.replace(/;?\s*$/, ';')).join('\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES)
      throw new AdminError('too much for one remote statement: give less at a time')

    const output = await run(['d1', 'execute', 'DB', '--json', '--yes', `--command=${command}`])
    return JSON.parse(output) as D1Result<Record<string, unknown>>[]
  }
}

/** Enough of KV for commands: read, write and delete a text. */
function remoteNamespace(run: (args: string[]) => Promise<string>): KVNamespace {
  const key = (verb: string, ...args: string[]) =>
    run(['kv', 'key', verb, ...args, '--binding=BOARD'])
  const namespace = {
    get: (name: string) => key('get', name, '--text').catch(() => null),
    put: (name: string, value: string) => key('put', name, value),
    delete: (name: string) => key('delete', name),
  }
  return namespace as unknown as KVNamespace
}

/** Nothing of the command reaches the message: it may hold an e-mail or a digest. */
async function wrangler(args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      'wrangler',
      [...args, '--remote', '--env', ENVIRONMENT],
      { maxBuffer: 256 * 1024 * 1024 },
    )
    return stdout
  } catch (error) {
    const { code } = error as { code?: number | string }
    throw new AdminError(
      `wrangler ${args.slice(0, 2).join(' ')} --remote failed (${code}): is 'wrangler login' done, and is the service deployed?`,
    )
  }
}
