import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsdown'
import { ROOT } from '../../support/process.ts'
import { writeClientTypes } from './types.ts'

const SOURCE = join(ROOT, 'clients/javascript')

/** The packages that are bundled into the client, so its licence must name them. */
const BUNDLED = ['eventsource-parser']

/**
 * Builds the package of the client in an emptied folder: one file for `import`, one for `require`.
 * The files contain everything they use, so the package has no dependencies.
 */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeClientTypes()
  await build({
    config: false,
    cwd: SOURCE,
    entry: { index: 'index.ts' },
    tsconfig: join(SOURCE, 'tsconfig.json'),
    outDir: join(folder, 'dist'),
    format: ['esm', 'cjs'],
    platform: 'neutral',
    target: 'es2022',
    dts: true,
    // Not minified, so that stack traces are readable. Pages load a minified copy.
    minify: false,
    outputOptions: { comments: { legal: true, annotation: true, jsdoc: false } },
    deps: { onlyBundle: false },
    logLevel: 'error',
  })
  for (const name of ['package.json', 'README.md'])
    copyFileSync(join(SOURCE, name), join(folder, name))
  writeFileSync(join(folder, 'LICENSE'), licence())
}

/** Builds the Python package in an emptied folder, with the types of the answers. */
export function buildPythonClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  writeClientTypes()
  const source = join(ROOT, 'clients/python')
  for (const name of ['pyproject.toml', 'README.md', 'cotizaciones'])
    cpSync(join(source, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('__pycache__'),
    })
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Our licence, followed by the licence of each bundled package. */
function licence(): string {
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  const others = BUNDLED.map((name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')
    return `\n---\n\nIncludes ${name}:\n\n${text.trim()}\n`
  })
  return own + others.join('')
}
