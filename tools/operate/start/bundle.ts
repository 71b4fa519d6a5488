import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../support/process.ts'

const ENTRY = 'local.js'
const METAFILE = 'bundle-meta.json'

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
 * Bundles the local entry into `folder` as a deployment would be. The runtime then answers without
 * the proxy of `wrangler dev`, which would cost nine of ten requests a second. Returns our files that
 * went in, by their paths from the project's root.
 */
export async function bundle(folder: string): Promise<string[]> {
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
      'deploy',
      'workers/standalone/local.ts',
      '--dry-run',
      '--env=standalone',
      `--outdir=${folder}`,
      '--metafile',
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
  const { inputs } = JSON.parse(readFileSync(join(folder, METAFILE), 'utf8')) as {
    inputs: Record<string, unknown>
  }
  return Object.keys(inputs).filter((path) => !path.includes('node_modules/'))
}

/** What a bundle's folder holds, the entry first. */
export function bundledModules(folder: string): BundledModule[] {
  return readdirSync(folder)
    .flatMap((file) => {
      const type = MODULE_TYPES[extname(file) as keyof typeof MODULE_TYPES]
      const path = join(folder, file)
      return type ? [{ type, path, contents: new Uint8Array(readFileSync(path)) }] : []
    })
    .toSorted((a, b) => Number(b.path.endsWith(ENTRY)) - Number(a.path.endsWith(ENTRY)))
}
