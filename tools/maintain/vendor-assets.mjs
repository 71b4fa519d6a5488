// Copies Scalar's browser build from node_modules, and the spreadsheet examples, to where static
// assets are served from. It is the build command of wrangler.toml, so that a deployment, the local
// start and tests all have the files, and 4 MB of somebody else's code are not committed. Plain
// JavaScript: whatever Node runs wrangler runs this.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'node_modules/@scalar/api-reference')
const FROM = join(PACKAGE, 'dist/browser')
const TO = join(ROOT, 'workers/site/public/static/scalar')
const MARK = join(TO, 'version.txt')
const BESIDE = join(ROOT, 'workers/site/.scalar')

const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))

if (!isCurrent()) {
  // Built outside of what is served and moved there whole, because two starts may do this at once,
  // and a third may be reading the folder of all assets.
  const making = `${BESIDE}-${process.pid}`
  cpSync(join(FROM, 'standalone.esm.js'), join(making, 'standalone.esm.js'))
  cpSync(join(FROM, 'chunks'), join(making, 'chunks'), {
    recursive: true,
    filter: (path) => extname(path) !== '.map',
  })
  writeFileSync(join(making, 'version.txt'), version)
  if (!moved(making, TO) && !isCurrent()) {
    // One of another version stands there.
    const old = `${making}-old`
    moved(TO, old)
    moved(making, TO)
    rmSync(old, { recursive: true, force: true })
  }
  rmSync(making, { recursive: true, force: true })
}

function isCurrent() {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === version
}

/** Whether a folder was moved to where none stands; another start may have been first. */
function moved(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

const EXAMPLES = join(ROOT, 'examples/planillas')
const SHOWN = join(ROOT, 'workers/site/public/static/ejemplos')
mkdirSync(SHOWN, { recursive: true })
// As text: a browser shows it, to be copied from there.
for (const file of readdirSync(EXAMPLES)) {
  copyFileSync(join(EXAMPLES, file), join(SHOWN, `${file}.txt`))
}
