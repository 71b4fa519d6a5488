import { expect, it } from 'vitest'
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
    verify: { key: undefined, waitSeconds: undefined },
  })
  expect(readOptions([]).targets.map(({ env }) => env)).toEqual([
    'delivery',
    'site',
    'edge',
    'scraper',
  ])
  expect(readOptions(['--standalone']).targets).toHaveLength(1)
  expect(readOptions(['--no-verify']).verify).toBeNull()
  expect(readOptions(['--verify-key', 'cot_a', '--verify-wait', '9']).verify).toEqual({
    key: 'cot_a',
    waitSeconds: 9,
  })
})

it.each([
  [['--suffix', 'Staging 2'], /--suffix/],
  [['--domain', 'https://a.example'], /--domain/],
  [['--var', 'WEBHOOK_ADMISSION'], /--var/],
  [['--dryrun'], /--dryrun/],
  [['--verify-wait', 'long'], /--verify-wait/],
])('refuses %j', (argv, problem) => {
  expect(() => readOptions(argv)).toThrow(problem)
})
