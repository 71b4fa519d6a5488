import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

/** A checkout with nothing but what the script needs. */
function checkout(folder: string) {
  mkdirSync(join(folder, 'tools/maintain'), { recursive: true })
  mkdirSync(join(folder, 'examples/planillas'), { recursive: true })
  mkdirSync(join(folder, 'workers/site/public/static'), { recursive: true })
  cpSync(
    join(ROOT, 'tools/maintain/vendor-assets.mjs'),
    join(folder, 'tools/maintain/vendor-assets.mjs'),
  )
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const assets = join(folder, 'workers/site/public/static')
  return {
    assets,
    vendor: () => run(process.execPath, [join(folder, 'tools/maintain/vendor-assets.mjs')]),
    /** The folders of assets, and how many chunks the reference has. */
    found: () => [
      readdirSync(assets).toSorted(),
      readdirSync(join(assets, 'scalar/chunks')).length,
    ],
  }
}

it('starts at the same time leave one whole copy, and never another folder among the assets', async () => {
  using scratch = openScratch()
  const { assets, vendor, found } = checkout(scratch.path)
  const seen = new Set<string>()
  const look = () => readdirSync(assets).forEach((name) => seen.add(name))
  const watching = setInterval(look, 0)

  await Promise.all([vendor(), vendor(), vendor(), vendor()])
  clearInterval(watching)
  look()

  expect([...seen].toSorted()).toEqual(['ejemplos', 'scalar'])
  const [folders, chunks] = found()
  expect(folders).toEqual(['ejemplos', 'scalar'])
  expect(chunks).toBeGreaterThan(50)
  expect(readdirSync(join(scratch.path, 'workers/site'))).toEqual(['public'])
})

it('takes the place of another version', async () => {
  using scratch = openScratch()
  const { assets, vendor, found } = checkout(scratch.path)
  const chunks = join(assets, 'scalar/chunks')
  mkdirSync(chunks, { recursive: true })
  writeFileSync(join(assets, 'scalar/version.txt'), '0.0.1')
  writeFileSync(join(chunks, 'old.js'), '')

  await vendor()

  expect(found()[0]).toEqual(['ejemplos', 'scalar'])
  expect(readFileSync(join(assets, 'scalar/version.txt'), 'utf8')).not.toBe('0.0.1')
  expect(readdirSync(chunks)).not.toContain('old.js')
})
