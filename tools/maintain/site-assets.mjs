// Makes the files that pages load: bundles the scripts and the style sheet of workers/site/client
// under hashed names, and copies Scalar's browser build and the spreadsheet examples. It is the
// build command of wrangler.toml, so deployments, the local start and tests all run it. Plain
// JavaScript, because it runs on the same Node as wrangler.
import { build } from 'esbuild'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PUBLIC = join(ROOT, 'workers/site/public')
const CLIENT = join(ROOT, 'workers/site/client')
const SCALAR = join(ROOT, 'node_modules/@scalar/api-reference/dist/browser')
const EXAMPLES = join(ROOT, 'examples/planillas')
/** The files that HTML names. They import all others. */
const ENTRIES = new Set(['account.ts', 'board.ts', 'docs.ts', 'pair.ts', 'style.css'])

if (process.argv[2] === '--help') {
  console.log('Usage: node tools/maintain/site-assets.mjs (makes the files that pages load)')
  process.exit()
}

await bundle()
// Scalar's chunks first, because its entry file refers to them.
const parts = readdirSync(join(SCALAR, 'chunks')).filter((name) => name.endsWith('.js'))
publish('static/scalar/chunks', readAll(join(SCALAR, 'chunks'), parts))
publish('static/scalar', readAll(SCALAR, ['standalone.esm.js']))
// As text, so that browsers show the examples and users can copy them.
const examples = readAll(EXAMPLES, readdirSync(EXAMPLES))
publish('static/ejemplos', new Map([...examples].map(([name, text]) => [`${name}.txt`, text])))

/**
 * Pages load the files of `public/build`. Caches may keep them for ever, because a changed file has
 * another name. `assets.json` lists for each entry its file and the files that it imports.
 */
async function bundle() {
  const { metafile, outputFiles } = await build({
    entryPoints: [...ENTRIES].map((name) => join(CLIENT, name)),
    absWorkingDir: ROOT,
    outdir: join(PUBLIC, 'build'),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'inline',
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  publish('build', new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])))

  const assets = Object.entries(metafile.outputs).flatMap(([path, { entryPoint, imports }]) => {
    const name = entryPoint && basename(entryPoint)
    const parts = imports.filter(({ kind }) => kind === 'import-statement')
    const files = [path, ...parts.map((part) => part.path)]
    return ENTRIES.has(name) ? [[name, files.map((file) => `/build/${basename(file)}`)]] : []
  })
  const text = `${JSON.stringify(Object.fromEntries(assets.toSorted()), null, 2)}\n`
  put(join(ROOT, 'workers/site/assets.json'), Buffer.from(text))
}

function readAll(folder, names) {
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
}

/** Puts these files into a folder of `public`, and removes old files of earlier versions. */
function publish(name, files) {
  const folder = join(PUBLIC, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, contents] of files) put(join(folder, file), contents)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile() && !files.has(entry.name) && isOld(path)) rmSync(path, { force: true })
  }
}

/** Whether a file may be removed: the HTML of a running service may refer to younger files. */
function isOld(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 24 * 3_600_000
}

/**
 * Writes a file atomically, unless it already has these contents: two starts may do this at once
 * while a third process reads. The temporary file is not in a folder that is served.
 */
function put(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  const made = join(ROOT, `workers/site/.making-${process.pid}-${basename(path)}`)
  writeFileSync(made, contents)
  renameSync(made, path)
}
