import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

it('concurrent starts leave every file that HTML names, complete, and no old files of other versions', async () => {
  using scratch = openScratch()
  const script = scratch.file('tools/maintain/site-assets.mjs')
  const built = scratch.file('workers/site/public/build')
  const chunks = scratch.file('workers/site/public/static/scalar/chunks')
  for (const folder of [dirname(script), scratch.file('examples/planillas'), built, chunks])
    mkdirSync(folder, { recursive: true })
  const ofOtherVersions = [join(built, 'board-OLD.js'), join(chunks, 'old.js')]
  for (const path of [...ofOtherVersions, join(built, 'board-OF_TODAY.js')]) writeFileSync(path, '')
  for (const path of ofOtherVersions) utimesSync(path, 0, 0)
  cpSync(join(ROOT, 'tools/maintain/site-assets.mjs'), script)
  for (const folder of ['node_modules', 'workers/site/client'])
    symlinkSync(join(ROOT, folder), scratch.file(folder))

  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [script])))

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
  expect(readdirSync(chunks).length).toBeGreaterThan(50)
  expect(ofOtherVersions.filter((path) => existsSync(path))).toEqual([])
})
