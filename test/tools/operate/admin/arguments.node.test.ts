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

it('gives the help of all, of a group and of one command in it', async () => {
  const all = await runTool('admin', ['--help'])
  expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n {2}points /) })
  // The first sentence of each, and no more.
  expect(all.stdout).toMatch(/\n {2}cycle .* Runs a scraper cycle now/)
  expect(all.stdout).not.toContain('FALSE')
  expect((await runTool('admin', ['points', '--help'])).stdout).toMatch(/\n {2}replace /)
  const one = await runTool('admin', ['key', 'create', '--help'])
  expect(one.stdout).toMatch(/^Usage: .*key create .*<EMAIL> <NAME>\n/)
})
