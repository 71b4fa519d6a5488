import { expect, it } from 'vitest'
import { runTool } from '../../../../tools/support/process.ts'
import { readArguments } from '../../../../tools/support/arguments.ts'
import { command, optionsOf } from '../../../../tools/operate/deploy/options.ts'

const readOptions = (args: readonly string[]) => optionsOf(readArguments(command, args))

it('reads what is to be deployed, and under which names', () => {
  const argv = ['--suffix', 'staging', '--domain', 'a.example', '--var', 'MAIL_FROM=x@a=b.example']
  expect(readOptions(argv)).toMatchObject({
    suffix: '-staging',
    domains: ['a.example'],
    vars: { MAIL_FROM: 'x@a=b.example' },
    dryRun: false,
  })
  expect(readOptions([]).targets.map(({ env }) => env)).toEqual([
    'delivery',
    'site',
    'edge',
    'scraper',
  ])
  expect(readOptions(['--standalone']).targets).toHaveLength(1)
})

it.each([
  [['--suffix', 'Staging 2'], /--suffix/],
  [['--domain', 'https://a.example'], /--domain/],
  [['--var', 'WEBHOOK_ADMISSION'], /--var/],
  [['--dryrun'], /--dryrun/],
])('refuses %j', (argv, problem) => {
  expect(() => readOptions(argv)).toThrow(problem)
})

it('refuses to deploy what nobody would find', async () => {
  const { code, output } = await runTool('deploy', ['--dry-run'])
  expect(output).toContain('PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=')
  expect(code).toBe(1)
})
