/** The size of each Worker as it is deployed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Bench, type BenchOptions, type Figure, rounded } from './bench.ts'

/** KiB, gzip. */
const LIMITS = { edge: 70, scraper: 80, delivery: 70, site: 350 } as const

export const bundles: Bench = {
  name: 'bundles',
  summary: 'the bundle of each Worker, gzip',
  method:
    'every module of `wrangler deploy --dry-run --minify` together, gzip at its default level',
  run: benchBundles,
}

async function benchBundles({ progress }: BenchOptions): Promise<Figure[]> {
  return Object.entries(LIMITS).map(([worker, atMost]) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-bundle-'))
    try {
      bundle(worker, folder)
      progress(worker)
      const value = rounded(gzipSync(modulesOf(folder)).length / 1024)
      return { name: `bundle of ${worker}, gzip`, value, unit: 'KiB', atMost }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

/** Bundles a Worker as it is deployed. */
export function bundle(worker: string, folder: string): void {
  execFileSync(
    'wrangler',
    ['deploy', '--dry-run', '--env', worker, '--minify', '--outdir', folder],
    { stdio: 'ignore' },
  )
}

/** What is uploaded: the script and what it imports, without source maps and the bundler's note. */
function modulesOf(folder: string): Buffer {
  const modules = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(map|md)$/.test(entry.name),
  )
  return Buffer.concat(modules.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
}
