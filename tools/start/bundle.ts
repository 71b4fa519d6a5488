import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'

const ENTRY = 'local.js'
const ROOT = join(import.meta.dirname, '../..')

/** The kinds of files that wrangler leaves beside the script, by their endings. */
const MODULE_TYPES = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
  '.bin': 'Data',
} as const

export interface BundledModule {
  type: (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES]
  path: string
  contents: Uint8Array<ArrayBuffer>
}

/**
 * Bundles the local entry into `folder` as a deployment would be; the entry comes first. The runtime
 * then answers without the proxy of `wrangler dev`, which would cost nine of ten requests a second.
 */
export async function bundle(folder: string): Promise<BundledModule[]> {
  rmSync(folder, { recursive: true, force: true })
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
      'deploy',
      'workers/standalone/local.ts',
      '--dry-run',
      '--env=standalone',
      `--outdir=${folder}`,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
        CI: '1',
      },
    },
  )

  return readdirSync(folder)
    .flatMap((file) => {
      const type = MODULE_TYPES[extname(file) as keyof typeof MODULE_TYPES]
      const path = join(folder, file)
      return type ? [{ type, path, contents: new Uint8Array(readFileSync(path)) }] : []
    })
    .toSorted((a, b) => Number(b.path.endsWith(ENTRY)) - Number(a.path.endsWith(ENTRY)))
}
