/** `npm run deploy`: the service on Cloudflare. wrangler does the work. */
import { Command } from '@commander-js/extra-typings'
import { each, readVar, runCommand, UsageError } from '../support/arguments.ts'
import { deploy } from './deploy/deploy.ts'
import { DISTRIBUTED, STANDALONE } from './deploy/plan.ts'

const command = new Command('npm run deploy --')
  .description('docs/deploy.md')
  .option('--standalone', 'one Worker instead of four')
  .option('--suffix <WORD>', 'a deployment of its own, under other names: staging', suffix, '')
  .option(
    '--domain <HOST>',
    'a custom domain of the Worker in front (repeatable)',
    each(domain),
    [],
  )
  .option(
    '--var <NAME=VALUE>',
    "a variable with another value than wrangler.toml's (repeatable)",
    each(readVar),
    [],
  )
  .option('--secrets-file <FILE>', 'secrets to set: JSON or lines NAME=value')
  .option('--dry-run', 'prints the steps, bundles every Worker and touches nothing', false)
  .action(({ standalone, suffix, domain: domains, var: vars, secretsFile, dryRun }) =>
    deploy({
      targets: standalone ? STANDALONE : DISTRIBUTED,
      suffix: suffix && `-${suffix}`,
      domains,
      vars: Object.fromEntries(vars),
      secretsFile,
      dryRun,
    }),
  )
await runCommand(command)

function suffix(text: string): string {
  if (!/^[a-z0-9]*$/.test(text)) throw new UsageError('--suffix is a word: staging')
  return text
}

function domain(text: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/.test(text))
    throw new UsageError(`--domain is a host name in small letters, not ${text}`)
  return text
}
