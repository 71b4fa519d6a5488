import { readArguments, readVar, readWhole, UsageError } from '../harness/arguments.ts'
import { DISTRIBUTED, STANDALONE, type Target } from './plan.ts'

export interface DeployOptions {
  targets: readonly Target[]
  /** `-staging`, or empty. */
  suffix: string
  domains: readonly string[]
  vars: Record<string, string>
  secretsFile: string | undefined
  dryRun: boolean
  /** Null when the deployed service is not to be verified. */
  verify: { key: string | undefined; waitSeconds: number | undefined } | null
}

export const USAGE = `npm run deploy -- [options] (docs/deploy.md)

  --standalone          one Worker instead of six
  --suffix staging      a deployment of its own, under other names
  --domain HOST         a custom domain of the Worker in front (repeatable)
  --var NAME=VALUE      a variable with another value than wrangler.toml's (repeatable)
  --secrets-file FILE   secrets to set: JSON or lines NAME=value
  --no-verify           does not ask the deployed service whether it holds
  --verify-key KEY      an API key for that
  --verify-wait SECONDS how long the service may take until it has quotes
  --dry-run             prints the steps, bundles every Worker and touches nothing`

export function readOptions(argv: readonly string[]): DeployOptions {
  const { values } = readArguments(argv, {
    standalone: { type: 'boolean', default: false },
    suffix: { type: 'string', default: '' },
    domain: { type: 'string', multiple: true, default: [] },
    var: { type: 'string', multiple: true, default: [] },
    'secrets-file': { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'no-verify': { type: 'boolean', default: false },
    'verify-key': { type: 'string' },
    'verify-wait': { type: 'string' },
  })
  if (!/^[a-z0-9]*$/.test(values.suffix)) throw new UsageError('--suffix is a word: staging')
  const odd = values.domain.find((domain) => !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/.test(domain))
  if (odd !== undefined)
    throw new UsageError(`--domain is a host name in small letters, not ${odd}`)
  const wait = values['verify-wait']

  return {
    targets: values.standalone ? STANDALONE : DISTRIBUTED,
    suffix: values.suffix && `-${values.suffix}`,
    domains: values.domain,
    vars: Object.fromEntries(values.var.map(readVar)),
    secretsFile: values['secrets-file'],
    dryRun: values['dry-run'],
    verify: values['no-verify']
      ? null
      : {
          key: values['verify-key'],
          waitSeconds: wait === undefined ? undefined : readWhole('--verify-wait', wait, 0, 99_999),
        },
  }
}
