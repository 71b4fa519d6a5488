import { spawnSync } from 'node:child_process'

/** A wrangler command that failed, with what it printed. */
export class WranglerError extends Error {}

/** Runs wrangler and returns what it printed; `show` lets its output through as it comes. */
export function wrangler(args: readonly string[], { show = false } = {}): string {
  const { status, stdout, stderr, error } = spawnSync('wrangler', args, {
    encoding: 'utf8',
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new WranglerError(`wrangler did not start: ${error.message}`)
  if (status !== 0) {
    const printed = [stdout, stderr].filter(Boolean).join('\n').trim()
    throw new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} failed\n${printed}`)
  }
  return stdout ?? ''
}
