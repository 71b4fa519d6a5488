import { readArguments, readVar, UsageError } from '../harness/arguments.ts'
import { DISTRIBUTED, STANDALONE, type Target } from './plan.ts'

export interface DeployOptions {
  targets: readonly Target[]
  /** `-staging`, or empty. */
  suffix: string
  domains: readonly string[]
  vars: Record<string, string>
  secretsFile: string | undefined
  dryRun: boolean
  /** Null: the deployed service is not asked whether it holds. */
  verify: { key: string | undefined; waitSeconds: number | undefined } | null
}

/** The command line, or an error that says what cannot be used. */
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
  if (wait !== undefined && !/^\d{1,5}$/.test(wait))
    throw new UsageError('--verify-wait is a whole number of seconds')

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
          waitSeconds: wait === undefined ? undefined : Number(wait),
        },
  }
}
