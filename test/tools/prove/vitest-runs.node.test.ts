import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const SKIPPED = `
  it.skip('is left out', () => {})
  it.runIf(false)('is not for this machine', () => {})
  it.todo('is to come')
  it('changes its mind', ({ skip }) => skip())
  describe.skip('a group', () => it('is left out', () => {}))`

it('fails a run for each test that vitest did not run', () => {
  // Below the project, where vitest can be imported from.
  const folder = mkdtempSync('node_modules/.skipped-tests-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { describe, it } from 'vitest'; it('runs', () => {}); ${SKIPPED}`,
  )
  const config = `export default { test: { include: ['*.test.js'], exclude: [] } }`
  writeFileSync(join(folder, 'vitest.config.js'), config)

  const { status, stderr } = runVitest('--root', folder)

  const names = [
    'is left out',
    'is not for this machine',
    'is to come',
    'changes its mind',
    'a group > is left out',
  ]
  expect(stderr).toBe(
    names.map((name) => `error: npm test skips nothing: some.test.js "${name}"\n`).join(''),
  )
  expect(status).toBe(1)
})

it('runs one folder with tests in workerd and in Node, as CONTRIBUTING says', () => {
  const { status, stdout } = runVitest('--reporter=tree', 'test/shared/webhooks')

  expect(stdout).toMatch(/\|workers\| test\/shared\/webhooks\/destination\.test\.ts/)
  expect(stdout).toMatch(/\|node\| test\/shared\/webhooks\/destination\.node\.test\.ts/)
  expect(status).toBe(0)
})

function runVitest(...args: string[]) {
  const reporter = `--reporter=${resolve('tools/prove/skipped-tests.ts')}`
  return spawnSync('node_modules/.bin/vitest', ['run', reporter, ...args], {
    env: { ...process.env, VITEST: undefined, NO_COLOR: '1' },
    encoding: 'utf8',
  })
}
