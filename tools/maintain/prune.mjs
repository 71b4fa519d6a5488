// Removes from node_modules what a container does not run, after the site's files were copied:
// everything but "dependencies" of package.json and their own dependencies. Peer dependencies alone
// keep nothing: the sign-in library would keep whole test runners. Plain JavaScript for the image's
// Node.
import { existsSync, readFileSync, rmSync } from 'node:fs'

/** Scalar is served from its copy, and nothing here uses Miniflare's image library. */
const UNUSED = new Set(['@scalar/api-reference', 'sharp'])

if (process.argv[2] === '--help') {
  console.log(
    'Usage: node tools/maintain/prune.mjs (removes packages that a container does not run)',
  )
  process.exit()
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const kept = new Set()
for (const name of Object.keys(packages[''].dependencies)) keep('', name)

for (const folder of Object.keys(packages))
  if (folder !== '' && !kept.has(folder)) rmSync(folder, { recursive: true, force: true })
rmSync('node_modules/.bin', { recursive: true, force: true })

/** Keeps the package that `name` resolves to in the folder `from`, and all its dependencies. */
function keep(from, name) {
  if (UNUSED.has(name)) return
  const folder = placeOf(from, name)
  if (folder === undefined || kept.has(folder) || !existsSync(folder)) return
  kept.add(folder)
  const { dependencies = {}, optionalDependencies = {} } = packages[folder]
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) keep(folder, other)
}

function placeOf(from, name) {
  const own = `${from && `${from}/`}node_modules/${name}`
  if (own in packages) return own
  return from === ''
    ? undefined
    : placeOf(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}
