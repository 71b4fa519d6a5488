import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { skippedTests } from '../../../tools/prove/skipped-tests.ts'

it('names each test that vitest did not run, and only those', () => {
  // Below the project, where vitest can be imported from.
  const folder = mkdtempSync('node_modules/.skipped-tests-')
  const results = resolve(folder, 'results.json')
  const config = `export default { test: { include: ['*.test.js'], exclude: [] } }`
  writeFileSync(join(folder, 'vitest.config.js'), config)
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { describe, it } from 'vitest'
     it('runs', () => {})
     it.skip('is left out', () => {})
     it.runIf(false)('is not for this machine', () => {})
     it.todo('is to come')
     it('changes its mind', ({ skip }) => skip())
     describe.skip('a group', () => it('is left out too', () => {}))`,
  )
  try {
    const reporter = ['--reporter=json', `--outputFile=${results}`]
    execFileSync('node_modules/.bin/vitest', ['run', '--root', folder, ...reporter], {
      env: { ...process.env, VITEST: undefined },
    })
    const file = join(folder, 'some.test.js')
    expect(skippedTests(results)).toEqual([
      `${file} "is left out"`,
      `${file} "is not for this machine"`,
      `${file} "is to come"`,
      `${file} "changes its mind"`,
      `${file} "a group is left out too"`,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('knows of none where a suite wrote no results', () => {
  expect(skippedTests('absent.json')).toEqual([])
})
