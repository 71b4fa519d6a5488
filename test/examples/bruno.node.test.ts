import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BRUNO, brunoFiles } from '../../tools/maintain/examples/files.ts'

it('the Bruno collection is what the documents say (npm run examples writes it)', () => {
  const kept = globSync('**/*.{bru,json}', { cwd: BRUNO }).toSorted()
  const files = brunoFiles()
  expect(kept).toEqual([...files.keys()].toSorted())
  for (const [path, text] of files) expect(readFileSync(join(BRUNO, path), 'utf8'), path).toBe(text)
})

it('no two operations share a file', () => {
  expect(brunoFiles().size).toBeGreaterThan(20)
})
