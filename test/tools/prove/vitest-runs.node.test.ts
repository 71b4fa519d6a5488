import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const SKIPPED = `
  it.skip('is left out', () => {})
  it.runIf(false)('is not for this machine', () => {})
  it.todo('is to come')
  it('changes its mind', ({ skip }) => skip())
  describe.skip('a group', () => it('is left out', () => {}))`

it('fails a run for each test that vitest did not run', async () => {
  // Inside the project, so that vitest can be imported.
  const folder = mkdtempSync('node_modules/.skipped-tests-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { describe, it } from 'vitest'; it('runs', () => {}); ${SKIPPED}`,
  )
  const config = `export default { test: { include: ['*.test.js'], exclude: [] } }`
  writeFileSync(join(folder, 'vitest.config.js'), config)

  const { status, stderr } = await runVitest('--root', folder)

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

it('runs tests in workerd and in Node by one path, as CONTRIBUTING says', async () => {
  const { status, stdout } = await runVitest('--reporter=tree', 'test/shared/webhooks/destination')

  expect(stdout).toMatch(/\|workers\| test\/shared\/webhooks\/destination\.test\.ts/)
  expect(stdout).toMatch(/\|node\| test\/shared\/webhooks\/destination\.node\.test\.ts/)
  expect(status).toBe(0)
})

/** Does not block: under load the run takes longer than vitest waits for an answer. */
async function runVitest(...args: string[]) {
  const reporter = `--reporter=${resolve('tools/prove/skipped-tests.ts')}`
  const env = { ...process.env, VITEST: undefined, NO_COLOR: '1' }
  const run = promisify(execFile)('node_modules/.bin/vitest', ['run', reporter, ...args], { env })
  const { code = 0, stdout, stderr } = await run.catch((error) => error)
  return { status: code, stdout, stderr } as { status: number; stdout: string; stderr: string }
}
