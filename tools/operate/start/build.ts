/**
 * What wrangler makes of the project, the bundle and its options for Miniflare, kept by the hash of
 * what went in: making it takes half of a start, and loading wrangler a quarter.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { ROOT } from '../../support/process.ts'

const CACHE = join(ROOT, 'node_modules/.cache/cotizaciones')
const OPTIONS = 'options.json'

/** Everything that the bundle is made of; a build that reads anything else fails. */
const INPUTS = ['shared', 'workers', 'wrangler.toml', 'package-lock.json', 'tsconfig.json']

const ENTRY = 'index.js'
const METAFILE = 'bundle-meta.json'

/** The kinds of files that wrangler leaves beside the script, by their endings. */
const MODULE_TYPES = {
  '.js': 'ESModule',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
  '.bin': 'Data',
} as const

interface BundledModule {
  type: (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES]
  path: string
  contents: Uint8Array<ArrayBuffer>
}

export interface Build {
  folder: string
  /** The entry first. */
  modules: BundledModule[]
  /** Of wrangler.toml, as Miniflare takes them. */
  options: { bindings: Record<string, unknown>; compatibilityDate: string }
}

/** The build of the sources as they are now, from the cache when they were built before. */
export async function currentBuild(): Promise<Build> {
  const folder = join(CACHE, hashOfFiles(ROOT, INPUTS))
  if (!existsSync(folder)) await buildInto(folder)
  const options = JSON.parse(readFileSync(join(folder, OPTIONS), 'utf8')) as Build['options']
  return { folder, modules: bundledModules(folder), options }
}

/** Made beside its place and then moved there whole, for several starts may do it at once. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  removeOld()
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  const { unstable_getMiniflareWorkerOptions: optionsOf } = await import('wrangler')
  const { modulesRules: _, ...options } = optionsOf(
    join(ROOT, 'wrangler.toml'),
    'standalone',
  ).workerOptions
  const inputs = await bundle(draft)
  const stranger = inputs.find((path) => !INPUTS.some((input) => path.startsWith(input)))
  if (stranger)
    throw new Error(`tools/operate/start/build.ts does not know ${stranger} as an input`)

  writeFileSync(join(draft, OPTIONS), JSON.stringify(options))
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another start was first.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** Of the names and contents of all files in folders, and of files, below a root. */
export function hashOfFiles(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256').update(root)
  for (const path of inputs.flatMap((input) => filesIn(root, input))) {
    const content = readFileSync(join(root, path))
    hash.update(`\0${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

function filesIn(root: string, input: string): string[] {
  if (!statSync(join(root, input)).isDirectory()) return [input]
  return readdirSync(join(root, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .toSorted()
}

/** Builds of sources that have changed since; a day is longer than any draft takes. */
function removeOld(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name)
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    if (Date.now() - mtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Bundles the local entry into `folder` as a deployment would be. The runtime then answers without
 * the proxy of `wrangler dev`, which would cost nine of ten requests a second. Returns our files that
 * went in, by their paths from the project's root.
 */
async function bundle(folder: string): Promise<string[]> {
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
      'deploy',
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
function bundledModules(folder: string): BundledModule[] {
  return readdirSync(folder)
    .flatMap((file) => {
      const type = MODULE_TYPES[extname(file) as keyof typeof MODULE_TYPES]
      const path = join(folder, file)
      return type ? [{ type, path, contents: new Uint8Array(readFileSync(path)) }] : []
    })
    .toSorted((a, b) => Number(b.path.endsWith(ENTRY)) - Number(a.path.endsWith(ENTRY)))
}
