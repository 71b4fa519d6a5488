import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

it('starts at the same time leave what HTML names, and one whole copy of Scalar', async () => {
  using scratch = openScratch()
  const script = scratch.file('tools/maintain/site-assets.mjs')
  const assets = scratch.file('workers/site/public/static')
  for (const folder of ['tools/maintain', 'examples/planillas'])
    mkdirSync(scratch.file(folder), { recursive: true })
  mkdirSync(join(assets, 'scalar/chunks'), { recursive: true })
  writeFileSync(join(assets, 'scalar/version.txt'), '0.0.1')
  writeFileSync(join(assets, 'scalar/chunks/old.js'), '')
  const built = scratch.file('workers/site/public/build')
  mkdirSync(built)
  for (const name of ['board-OLD.js', 'board-OF_TODAY.js']) writeFileSync(join(built, name), '')
  utimesSync(join(built, 'board-OLD.js'), 0, 0)
  cpSync(join(ROOT, 'tools/maintain/site-assets.mjs'), script)
  for (const folder of ['node_modules', 'workers/site/client'])
    symlinkSync(join(ROOT, folder), scratch.file(folder))
  const seen = new Set<string>()
  const look = () => readdirSync(assets).forEach((name) => seen.add(name))
  const watching = setInterval(look, 0)

  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [script])))
  clearInterval(watching)
  look()

  expect([...seen].toSorted()).toEqual(['ejemplos', 'scalar'])
  const made = readdirSync(scratch.file('workers/site')).toSorted()
  expect(made).toEqual(['assets.json', 'client', 'public'])
  const named = Object.entries<string[]>(
    JSON.parse(readFileSync(scratch.file('workers/site/assets.json'), 'utf8')),
  )
  for (const [entry, [first]] of named)
    expect(first).toMatch(new RegExp(`^/build/${entry.split('.')[0]}-[A-Z0-9]{8}\\.(js|css)$`))
  const files = readdirSync(built)
  expect(files).toEqual(
    expect.arrayContaining(named.flatMap(([, all]) => all.map((f) => f.slice(7)))),
  )
  expect(files).toContain('board-OF_TODAY.js')
  expect(files).not.toContain('board-OLD.js')
  expect(readFileSync(join(assets, 'scalar/version.txt'), 'utf8')).not.toBe('0.0.1')
  const chunks = readdirSync(join(assets, 'scalar/chunks'))
  expect(chunks.length).toBeGreaterThan(50)
  expect(chunks).not.toContain('old.js')
})
