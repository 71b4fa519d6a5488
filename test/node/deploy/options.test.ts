import { expect, it } from 'vitest'
import { readOptions } from '../../../tools/deploy/options.ts'

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
