import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const ANY_OF_SHARED_BELOW_DB = [
  'shared',
  'shared/market',
  'shared/crypto',
  'shared/board',
  'shared/access',
  'shared/webhooks',
  'shared/alerts',
]
const DB_BELOW = [...ANY_OF_SHARED_BELOW_DB, 'shared/db', 'shared/db/schema']
const ANY_OF_SHARED = [
  ...DB_BELOW,
  'shared/api',
  'shared/db/quotes',
  'shared/db/deliveries',
  'shared/subscriptions',
]
const WORKERS = ['edge', 'scraper', 'delivery', 'site'].map((name) => `workers/${name}`)

/** The folders that the files of a folder may import, besides their own folder. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'clients/javascript': [],
  shared: [],
  'shared/market': ['shared'],
  'shared/crypto': ['shared'],
  'shared/board': ['shared', 'shared/market', 'shared/crypto'],
  'shared/access': ['shared', 'shared/market', 'shared/crypto'],
  'shared/webhooks': ['shared', 'shared/market', 'shared/crypto'],
  'shared/alerts': ['shared', 'shared/market', 'shared/crypto', 'shared/webhooks'],
  'shared/api': [...ANY_OF_SHARED_BELOW_DB, 'shared/subscriptions'],
  // shared/webhooks has the names of states, types and errors, shared/board those of modes.
  'shared/db/schema': [
    'shared',
    'shared/market',
    'shared/webhooks',
    'shared/board',
    'shared/alerts',
  ],
  // The status read uses every subject of the database; the other files only take the connection.
  'shared/db': ANY_OF_SHARED,
  'shared/db/quotes': DB_BELOW,
  'shared/db/deliveries': [...DB_BELOW, 'shared/db/quotes'],
  'shared/subscriptions': ANY_OF_SHARED,
  'workers/edge': ANY_OF_SHARED,
  'workers/scraper': ANY_OF_SHARED,
  'workers/delivery': ANY_OF_SHARED,
  'workers/site': ANY_OF_SHARED,
  // Scripts of pages use the client and functions of pages that need no database.
  'workers/site/client': ['shared', 'shared/market', 'clients/javascript', 'workers/site'],
  // Only standalone imports the other Workers.
  'workers/standalone': [...ANY_OF_SHARED, ...WORKERS],
  tools: [...ANY_OF_SHARED, ...WORKERS, 'workers/standalone', 'clients/javascript'],
}

interface Import {
  from: string
  to: string
}

const imports = globSync('{clients,shared,workers,tools}/**/*.{ts,tsx,mjs}').flatMap(importsOf)

/** Includes type imports. The linter finds cycles of files (`import/no-cycle`). */
function importsOf(file: string): Import[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(
    /(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g,
  )
  return [...specifiers].map(([, path]) => ({ from: file, to: join(dirname(file), path ?? '') }))
}

/** The longest folder of the table that contains the file. */
function folderOf(file: string): string {
  const folders = Object.keys(MAY_IMPORT).filter((folder) => file.startsWith(`${folder}/`))
  return folders.reduce(
    (longest, folder) => (folder.length > longest.length ? folder : longest),
    '',
  )
}

/** The packages that load together with a file: not those of types, nor those of `import()`. */
function packagesOf(entry: string): string[] {
  const { metafile } = buildSync({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    packages: 'external',
    external: ['cloudflare:*'],
    outdir: 'out',
    write: false,
    metafile: true,
  })
  const loaded = new Set([`out/${basename(entry, '.ts')}.js`])
  for (const file of loaded)
    for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(path)
  return [...loaded]
}

describe('the direction of imports', () => {
  it.each(Object.entries(MAY_IMPORT))('%s imports only what lies below it', (folder, allowed) => {
    const wrong = imports.filter(({ from, to }) => {
      const target = folderOf(to)
      return folderOf(from) === folder && target !== folder && !allowed.includes(target)
    })

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('starts the edge without drizzle and the library of MCP', () => {
    const packages = packagesOf('workers/edge/index.ts')
    expect(packages).toContain('zod/mini')
    expect(packages.filter((name) => /^(drizzle-orm|@modelcontextprotocol)/.test(name))).toEqual([])
  })

  it('reads imports where there are some', () => expect(imports.length).toBeGreaterThan(1000))
})
