import { spawnSync } from 'node:child_process'
import { CommandError } from '../../support/arguments.ts'

export class WranglerError extends CommandError {}

/** Runs wrangler and returns what it printed. */
export function wrangler(args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('wrangler', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new WranglerError(`wrangler did not start: ${error.message}`)
  if (status !== 0) {
    const printed = [stdout, stderr].filter(Boolean).join('\n').trim()
    throw new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} failed\n${printed}`)
  }
  return stdout
}
