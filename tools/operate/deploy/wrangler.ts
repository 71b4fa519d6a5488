import { spawnSync } from 'node:child_process'
import { CommandError } from '../../support/arguments.ts'
import type { Target } from './plan.ts'

/** Runs wrangler and returns what it printed. */
export function wrangler(args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('wrangler', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new CommandError(`wrangler did not start: ${error.message}`)
  if (status !== 0) {
    const printed = [stdout, stderr].filter(Boolean).join('\n').trim()
    throw new CommandError(`wrangler ${args.slice(0, 3).join(' ')} failed\n${printed}`)
  }
  return stdout
}

/** Bundles a Worker as for a deployment, without uploading it. */
export function bundle(env: Target['env'], folder: string, config = 'wrangler.toml'): void {
  const where = ['--config', config, '--env', env, '--outdir', folder]
  wrangler(['deploy', '--dry-run', '--minify', ...where])
}
