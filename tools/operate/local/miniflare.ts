import type { Miniflare } from 'miniflare'

type Bindings = Record<string, { type: 'd1' | 'kv'; id: string } | { type: 'text'; value: string }>

/** workerd with one small Worker, the first of the modules, and its storage in a folder. */
export async function openMiniflare(
  folder: string,
  modules: Readonly<Record<string, string>>,
  env: Bindings,
): Promise<Miniflare> {
  // Loaded late: it takes most of a command's start, and some commands open no storage.
  const { Miniflare } = await import('miniflare')
  const [mainModule] = Object.keys(modules) as [string]
  const contents = Object.entries(modules).map(
    ([name, text]) => [name, { type: 'esm' as const, contents: text }] as const,
  )
  return new Miniflare({
    resourcePersistencePath: folder,
    enableDevRegistry: false,
    cf: false,
    handleStructuredLogs: ({ message }) => {
      if (isWorthPrinting(message)) console.error(message)
    },
    workers: [
      {
        config: {
          name: 'tool',
          compatibilityDate: '2026-10-27',
          manifest: { mainModule, modulesRoot: '/', modules: Object.fromEntries(contents) },
          env,
        },
      },
    ],
  })
}

/**
 * Whether a line of the runtime is for people. workerd prints a stack of addresses for every failed
 * connection, which the Worker's own line says better, and for a locked database, which is tried again, and that V8's flags cost it a cache.
 */
export function isWorthPrinting(message: string): boolean {
  return !/^e = .*\n?|\nstack: |^stack: |^NOSENTRY per-isolate bootstrap compile cache /.test(
    message,
  )
}
