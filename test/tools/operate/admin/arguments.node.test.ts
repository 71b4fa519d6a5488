import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { expect, it, vi } from 'vitest'
import { adminProgram } from '../../../../tools/operate/admin/commands.ts'
import { quiet } from '../../../../tools/support/arguments.ts'
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

/** The names of a command and of its subcommands. */
const wordsOf = (command: CommandUnknownOpts, before: readonly string[] = []): string[][] =>
  command.commands.flatMap((each) => {
    const words = [...before, each.name()]
    return [words, ...wordsOf(each, words)]
  })

const opens = async () => expect.unreachable('a state was opened')

it.each(wordsOf(adminProgram(opens)).map((words) => words.join(' ')))(
  '%s --help prints its usage and opens no state',
  async (words) => {
    const printed: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    const help = quiet(adminProgram(opens)).parseAsync([...words.split(' '), '--help'], {
      from: 'user',
    })
    await expect(help).rejects.toMatchObject({ code: 'commander.helpDisplayed', exitCode: 0 })
    expect(printed.join('')).toMatch(`Usage: npm run admin -- ${words} `)
  },
)
