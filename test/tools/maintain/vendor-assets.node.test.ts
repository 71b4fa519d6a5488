import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

it('starts at the same time leave one whole copy in the place of another version', async () => {
  using scratch = openScratch()
  const script = scratch.file('tools/maintain/vendor-assets.mjs')
  const assets = scratch.file('workers/site/public/static')
  for (const folder of ['tools/maintain', 'examples/planillas'])
    mkdirSync(scratch.file(folder), { recursive: true })
  mkdirSync(join(assets, 'scalar/chunks'), { recursive: true })
  writeFileSync(join(assets, 'scalar/version.txt'), '0.0.1')
  writeFileSync(join(assets, 'scalar/chunks/old.js'), '')
  cpSync(join(ROOT, 'tools/maintain/vendor-assets.mjs'), script)
  symlinkSync(join(ROOT, 'node_modules'), scratch.file('node_modules'))
  const seen = new Set<string>()
  const look = () => readdirSync(assets).forEach((name) => seen.add(name))
  const watching = setInterval(look, 0)

  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [script])))
  clearInterval(watching)
  look()

  expect([...seen].toSorted()).toEqual(['ejemplos', 'scalar'])
  expect(readdirSync(scratch.file('workers/site'))).toEqual(['public'])
  expect(readFileSync(join(assets, 'scalar/version.txt'), 'utf8')).not.toBe('0.0.1')
  const chunks = readdirSync(join(assets, 'scalar/chunks'))
  expect(chunks.length).toBeGreaterThan(50)
  expect(chunks).not.toContain('old.js')
})
