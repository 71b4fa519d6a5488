import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUNDLE_LIMITS, type Target } from './plan.ts'
import { wrangler } from './wrangler.ts'

/** Builds a Worker without uploading it; its size, or an error when it is over its limit. */
export function checkBundle(config: string, { env }: Target): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  try {
    const where = ['--config', config, '--env', env, '--outdir', folder]
    wrangler(['deploy', '--dry-run', '--minify', ...where])
    const kib = gzipSync(readFileSync(join(folder, 'index.js'))).length / 1024
    const limit = BUNDLE_LIMITS[env]
    if (kib > limit) throw new Error(`bundle of ${env}: ${kib.toFixed(1)} KiB gzip, over ${limit}`)
    return `${env}: ${kib.toFixed(1)} KiB gzip of ${limit}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
