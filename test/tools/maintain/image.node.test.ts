/** The image has what .dockerignore admits and the packages in `dependencies`: enough to start. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { openScratch } from '../../../tools/support/scratch.ts'

/** The programs of a container, with those that each starts or loads late. */
const ENTRIES = ['start.ts', 'admin.ts']

interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>
}

const letIn = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
const isLetIn = (path: string) => letIn.some((one) => path === one || path.startsWith(`${one}/`))

it('the image has every file and package that a start needs', () => {
  using scratch = openScratch()
  const metafile = scratch.file('meta.json')
  const options = ['--bundle', '--platform=node', '--format=esm', '--packages=external']
  execFileSync('node_modules/.bin/esbuild', [
    ...ENTRIES.map((entry) => `tools/operate/${entry}`),
    ...options,
    '--external:cloudflare:*',
    `--metafile=${metafile}`,
    `--outdir=${scratch.file('out')}`,
    '--log-level=error',
  ])
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile
  const files = Object.keys(inputs)
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !isLetIn(file))).toEqual([])

  const packages = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external && !/^(node|cloudflare):/.test(path))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)![0])
  expect(new Set(packages)).toContain('miniflare')
  const missing = packages.filter((name) => !(name in manifest.dependencies))
  expect(missing).toEqual([])
})

it.each([
  'migrations',
  'tools/operate/start/workerd.sh',
  'package-lock.json',
  'examples/planillas',
])('the image has the path that a start or its build reads: %s', (path) =>
  expect(isLetIn(path)).toBe(true),
)
