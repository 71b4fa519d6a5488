import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CommandError } from '../../support/arguments.ts'
import { openScratch } from '../../support/scratch.ts'
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

/** The size of all uploaded modules, in KiB gzip. */
export function bundleSize(env: Target['env'], config?: string): number {
  using scratch = openScratch()
  bundle(env, scratch.path, config)
  // Source maps and the bundler's report are not uploaded.
  const modules = readdirSync(scratch.path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(map|md)$/.test(entry.name),
  )
  const contents = modules.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  return gzipSync(Buffer.concat(contents)).length / 1024
}
