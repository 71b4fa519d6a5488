/** Bundles the Worker of a start from the sources, which takes half a second. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { parse } from 'smol-toml'
import { ROOT } from '../../support/process.ts'

/** The part of wrangler.toml that a start reads. */
interface Settings {
  alias: Record<string, string>
  compatibility_date: string
  vars?: Record<string, string>
  env: {
    edge: Worker & {
      durable_objects: { bindings: { name: string; class_name: string }[] }
      ratelimits: {
        name: string
        namespace_id: string
        simple: { limit: number; period: 10 | 60 }
      }[]
    }
    delivery: Worker & {
      queues: {
        producers: { binding: string; queue: string }[]
        consumers: { queue: string; max_batch_size: number; max_retries: number }[]
      }
    }
    site: Worker & { assets: { directory: string; html_handling: string } }
    scraper: Worker
  }
}

interface Worker {
  compatibility_flags: string[]
}

const SETTINGS = parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')) as unknown as Settings

/** The variables of wrangler.toml. */
export const VARS = SETTINGS.vars ?? {}

export const STANDALONE = join(ROOT, 'workers/standalone/index.ts')

const { edge, delivery, site } = SETTINGS.env

/** Miniflare's settings for the Worker that combines all four. The caller adds the storage. */
export const STANDALONE_OPTIONS = {
  compatibilityDate: SETTINGS.compatibility_date,
  compatibilityFlags: [
    ...new Set(Object.values(SETTINGS.env).flatMap((worker) => worker.compatibility_flags)),
  ],
  assets: {
    directory: join(ROOT, site.assets.directory),
    routerConfig: { has_user_worker: true },
    assetConfig: { html_handling: site.assets.html_handling as 'none' },
  },
  durableObjects: named(edge.durable_objects.bindings, ({ name, class_name: className }) => [
    name,
    { className, useSQLite: true },
  ]),
  queueProducers: named(delivery.queues.producers, ({ binding, queue }) => [binding, queue]),
  queueConsumers: named(delivery.queues.consumers, (consumer) => [
    consumer.queue,
    {
      maxBatchSize: consumer.max_batch_size,
      maxBatchTimeout: 0,
      maxRetries: consumer.max_retries,
    },
  ]),
  ratelimits: named(edge.ratelimits, (limit) => [limit.name, limit]),
}

export type Build = ReturnType<typeof buildWorker>

/** Miniflare's settings with a bundled Worker. */
export function buildWorker(source: string) {
  // A container image has the built files, but not the packages that they are built from.
  if (existsSync(join(ROOT, 'node_modules/@scalar/api-reference')))
    execFileSync(process.execPath, [join(ROOT, 'tools/maintain/site-assets.mjs')])

  const modules = [{ type: 'ESModule' as const, path: 'index.js', contents: bundleWorker(source) }]
  return { ...STANDALONE_OPTIONS, modules }
}

function named<Each, Value>(list: readonly Each[], entry: (each: Each) => [string, Value]) {
  return Object.fromEntries(list.map(entry)) as Record<string, Value>
}

/** Bundles a Worker's file with everything it imports, as wrangler does. */
export function bundleWorker(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    alias: SETTINGS.alias,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}
