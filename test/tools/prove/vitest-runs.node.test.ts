import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const SOME = `import { describe, it } from 'vitest'
  it('runs', () => {})
  it.todo('is to come')
  it('changes its mind', ({ skip }) => skip())
  describe.skip('a group', () => it('is left out', () => {}))`

it('fails a run for each test that vitest did not run', async () => {
  // Inside the project, so that vitest can be imported.
  const folder = mkdtempSync('node_modules/.skipped-tests-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'some.test.js'), SOME)
  const config = `export default { test: { include: ['*.test.js'], exclude: [] } }`
  writeFileSync(join(folder, 'vitest.config.js'), config)

  const reporter = `--reporter=${resolve('tools/prove/skipped-tests.ts')}`
  const env = { ...process.env, VITEST: undefined, NO_COLOR: '1' }
  const words = ['run', reporter, '--root', folder]
  const { code, stderr } = await promisify(execFile)('node_modules/.bin/vitest', words, {
    env,
  }).catch((error) => error)

  const names = ['is to come', 'changes its mind', 'a group > is left out']
  expect(stderr).toBe(
    names.map((name) => `error: npm test skips nothing: some.test.js "${name}"\n`).join(''),
  )
  expect(code).toBe(1)
})
