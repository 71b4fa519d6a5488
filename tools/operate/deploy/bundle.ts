import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openScratch } from '../../support/scratch.ts'
import type { Target } from './plan.ts'
import { wrangler } from './wrangler.ts'

/** Bundles a Worker as it is deployed, without uploading it. */
export function bundle(env: Target['env'], folder: string, config = 'wrangler.toml'): void {
  const where = ['--config', config, '--env', env, '--outdir', folder]
  wrangler(['deploy', '--dry-run', '--minify', ...where])
}

/** The size of all modules that are uploaded, in KiB gzip. */
export function bundleSize(env: Target['env'], config?: string): number {
  using scratch = openScratch()
  bundle(env, scratch.path, config)
  // Neither source maps nor the bundler's note are uploaded.
  const modules = readdirSync(scratch.path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(map|md)$/.test(entry.name),
  )
  const contents = modules.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  return gzipSync(Buffer.concat(contents)).length / 1024
}
