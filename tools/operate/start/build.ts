/** The Worker of a start, made of the sources as they are: that takes half a second. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { parse } from 'smol-toml'
import { ROOT } from '../../support/process.ts'

/** What is read of an environment of wrangler.toml. */
interface Environment {
  main: string
  compatibility_flags: string[]
  vars: Record<string, string>
  assets: { directory: string; html_handling: string }
  durable_objects: { bindings: { name: string; class_name: string }[] }
  queues: {
    producers: { binding: string; queue: string }[]
    consumers: { queue: string; max_batch_size: number; max_retries: number }[]
  }
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }[]
}

interface Settings {
  alias: Record<string, string>
  compatibility_date: string
  env: { standalone: Environment }
}

export type Build = ReturnType<typeof buildStandalone>

/** The environment `standalone` of wrangler.toml: its variables, and what Miniflare is told of it. */
export function buildStandalone() {
  // An image has the files that this makes, and not what they are made from.
  if (existsSync(join(ROOT, 'node_modules/@scalar/api-reference')))
    execFileSync(process.execPath, [join(ROOT, 'tools/maintain/site-assets.mjs')])

  const {
    alias,
    compatibility_date: compatibilityDate,
    env,
  } = parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')) as unknown as Settings
  const { main, compatibility_flags, vars, assets, durable_objects, queues, ratelimits } =
    env.standalone
  return {
    vars,
    compatibilityDate,
    options: {
      compatibilityDate,
      compatibilityFlags: compatibility_flags,
      modules: [
        {
          type: 'ESModule' as const,
          path: 'index.js',
          contents: bundleWorker(join(ROOT, main), alias),
        },
      ],
      assets: {
        directory: join(ROOT, assets.directory),
        routerConfig: { has_user_worker: true },
        assetConfig: { html_handling: assets.html_handling as 'none' },
      },
      durableObjects: named(durable_objects.bindings, ({ name, class_name: className }) => [
        name,
        { className, useSQLite: true },
      ]),
      queueProducers: named(queues.producers, ({ binding, queue }) => [binding, queue]),
      queueConsumers: named(queues.consumers, (consumer) => [
        consumer.queue,
        {
          maxBatchSize: consumer.max_batch_size,
          maxBatchTimeout: 0,
          maxRetries: consumer.max_retries,
        },
      ]),
      ratelimits: named(ratelimits, (limit) => [limit.name, limit]),
    },
  }
}

function named<Each, Value>(list: readonly Each[], entry: (each: Each) => [string, Value]) {
  return Object.fromEntries(list.map(entry)) as Record<string, Value>
}

/** A Worker's file with all that it imports, as wrangler would bundle it. */
export function bundleWorker(source: string, alias: Record<string, string> = {}): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    alias,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}
