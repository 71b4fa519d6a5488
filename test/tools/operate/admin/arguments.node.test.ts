import { expect, it } from 'vitest'
import { runTool } from '../../../../tools/support/process.ts'

it.each([
  [['nonsense', 'now'], "unknown command 'nonsense'"],
  [['key'], 'Usage: npm run admin -- key '],
  [['key', 'list'], "missing required argument 'EMAIL'"],
  [['cycle', '--state'], "option '--state <DIR>' argument missing"],
  [['cycle', '--state='], '--state needs a folder'],
  [['--state', 'x', 'cycle', '--remote'], "'--remote' cannot be used with option '--state <DIR>'"],
  [['cycle', '--suffix', 'staging'], '--suffix goes with --remote'],
])('refuses %j with 2', async (args, problem) => {
  const { code, output } = await runTool('admin', args)
  expect(code).toBe(2)
  expect(output).toContain(problem)
})

it('gives the help of all commands: the first sentence of each, and no more', async () => {
  const { code, stdout } = await runTool('admin', ['--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/\n {2}cycle .* Runs a scraper cycle now/)
  expect(stdout).not.toContain('FALSE')
})
