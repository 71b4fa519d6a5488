// Copies Scalar's browser build from node_modules to where static assets are served from. It is the
// build command of wrangler.toml, so that a deployment, the local start and tests all have the
// files, and 4 MB of somebody else's code are not committed. Plain JavaScript: whatever Node runs
// wrangler runs this.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const PACKAGE = join(ROOT, 'node_modules/@scalar/api-reference')
const FROM = join(PACKAGE, 'dist/browser')
const TO = join(ROOT, 'workers/site/public/static/scalar')
const MARK = join(TO, 'version.txt')

const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))

if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== version) {
  // Built beside its place and moved there whole, because two starts may do this at once.
  const making = `${TO}.${process.pid}`
  mkdirSync(join(making, 'chunks'), { recursive: true })
  copyFileSync(join(FROM, 'standalone.esm.js'), join(making, 'standalone.esm.js'))
  for (const file of readdirSync(join(FROM, 'chunks'))) {
    if (file.endsWith('.js')) copyFileSync(join(FROM, 'chunks', file), join(making, 'chunks', file))
  }
  writeFileSync(join(making, 'version.txt'), version)
  rmSync(TO, { recursive: true, force: true })
  try {
    renameSync(making, TO)
  } catch {
    rmSync(making, { recursive: true, force: true }) // the other one was first
  }
}
