// Makes the files that pages load: bundles the scripts and the style sheet of workers/site/client
// under hashed names, and copies Scalar's browser build and the spreadsheet examples. It is the
// build command of wrangler.toml, so deployments, the local start and tests all run it. Plain
// JavaScript, because it runs on the same Node as wrangler.
import { build } from 'esbuild'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, extname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PUBLIC = join(ROOT, 'workers/site/public')
const CLIENT = join(ROOT, 'workers/site/client')
/** The files that HTML names. They import all others. */
const ENTRIES = new Set(['account.ts', 'board.ts', 'docs.ts', 'pair.ts', 'style.css'])
/** A temporary folder that is not served. */
const BESIDE = join(ROOT, `workers/site/.making-${process.pid}`)

if (process.argv[2] === '--help') {
  console.log('Usage: node tools/maintain/site-assets.mjs (makes the files that pages load)')
  process.exit()
}

mkdirSync(BESIDE, { recursive: true })
try {
  await bundle()
  copyScalar()
  copyExamples()
} finally {
  rmSync(BESIDE, { recursive: true, force: true })
}

/**
 * Pages load the files of `public/build`, which caches may keep for ever, because a changed file
 * gets another name. `assets.json` lists for each entry its file and the files that this imports.
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
  mkdirSync(join(PUBLIC, 'build'), { recursive: true })
  for (const { path, contents } of outputFiles) if (!existsSync(path)) put(path, contents)

  const assets = Object.entries(metafile.outputs).flatMap(([path, { entryPoint, imports }]) => {
    const name = entryPoint && basename(entryPoint)
    const parts = imports.filter(({ kind }) => kind === 'import-statement')
    const files = [path, ...parts.map((part) => part.path)]
    return ENTRIES.has(name) ? [[name, files.map((file) => `/build/${basename(file)}`)]] : []
  })
  const text = `${JSON.stringify(Object.fromEntries(assets.toSorted()), null, 2)}\n`
  const manifest = join(ROOT, 'workers/site/assets.json')
  if (!existsSync(manifest) || readFileSync(manifest, 'utf8') !== text) put(manifest, text)

  const made = new Set(outputFiles.map(({ path }) => path))
  for (const name of readdirSync(join(PUBLIC, 'build'))) {
    const path = join(PUBLIC, 'build', name)
    if (!made.has(path) && isOld(path)) rmSync(path, { force: true })
  }
}

/** Whether no running service can still refer to the file. Younger files are kept. */
function isOld(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 24 * 3_600_000
}

/** Copies Scalar to a folder together with a note of its version, in one step. */
function copyScalar() {
  const scalar = join(ROOT, 'node_modules/@scalar/api-reference')
  const { version } = JSON.parse(readFileSync(join(scalar, 'package.json'), 'utf8'))
  const to = join(PUBLIC, 'static/scalar')
  const isCurrent = () => {
    const mark = join(to, 'version.txt')
    return existsSync(mark) && readFileSync(mark, 'utf8') === version
  }
  if (isCurrent()) return

  const made = join(BESIDE, 'scalar')
  cpSync(join(scalar, 'dist/browser/standalone.esm.js'), join(made, 'standalone.esm.js'))
  cpSync(join(scalar, 'dist/browser/chunks'), join(made, 'chunks'), {
    recursive: true,
    filter: (path) => extname(path) !== '.map',
  })
  writeFileSync(join(made, 'version.txt'), version)
  mkdirSync(join(PUBLIC, 'static'), { recursive: true })
  if (moved(made, to) || isCurrent()) return
  moved(to, join(BESIDE, 'old')) // The files of another version.
  moved(made, to)
}

/** Copies the examples as text, so that browsers show them and users can copy them. */
function copyExamples() {
  const from = join(ROOT, 'examples/planillas')
  const to = join(PUBLIC, 'static/ejemplos')
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(to, `${file}.txt`))
}

/** Replaces a file in one step: two starts may do this at once while a third process reads. */
function put(path, contents) {
  const made = join(BESIDE, basename(path))
  writeFileSync(made, contents)
  renameSync(made, path)
}

/** Moves a folder if the target does not exist. Returns false when another start was first. */
function moved(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}
