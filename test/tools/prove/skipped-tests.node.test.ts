import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SKIPPED = `
  it.skip('is left out', () => {})
  it.runIf(false)('is not for this machine', () => {})
  it.todo('is to come')
  it('changes its mind', ({ skip }) => skip())
  describe.skip('a group', () => it('is left out', () => {}))`

it.each([
  [
    SKIPPED,
    [
      'is left out',
      'is not for this machine',
      'is to come',
      'changes its mind',
      'a group > is left out',
    ],
  ],
  ['', []],
])('fails a run for each test that vitest did not run: %s', (tests, names) => {
  // Below the project, where vitest can be imported from.
  const folder = mkdtempSync('node_modules/.skipped-tests-')
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { describe, it } from 'vitest'; it('runs', () => {}); ${tests}`,
  )
  const config = `export default { test: { include: ['*.test.js'], exclude: [] } }`
  writeFileSync(join(folder, 'vitest.config.js'), config)
  const args = ['run', '--root', folder, `--reporter=${resolve('tools/prove/skipped-tests.ts')}`]
  const { status, stderr } = spawnSync('node_modules/.bin/vitest', args, {
    env: { ...process.env, VITEST: undefined },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(stderr).toBe(
    names.map((name) => `error: npm test skips nothing: some.test.js "${name}"\n`).join(''),
  )
  expect(status).toBe(names.length === 0 ? 0 : 1)
})
