import { type AdminCommand, AdminError } from './command.ts'
import { type Finding, isFalse } from './audit/check.ts'
import { checks } from './audit/checks.ts'
import { openScope } from './audit/scope.ts'
import { findKeyring } from './keyring.ts'

export const auditCommand: AdminCommand = {
  name: 'audit',
  usage: '[--since INSTANT] [--secrets-file FILE]',
  summary: 'Checks every invariant of the stored data; changes nothing.',
  details:
    'One line each: ok, FALSE with a few ids, or not checked with the reason; status 1 when one is FALSE.\n' +
    'It may run beside the service. --since leaves changes up to an instant (2026-11-21T12:00:00Z) without\n' +
    'their deliveries: give the moment when WEBHOOK_ADMISSION was opened, if that is within a week.\n' +
    'With --remote, sealed fields are opened only with KEY_ENCRYPTION_KEYS in the environment or in\n' +
    '--secrets-file, as `npm run deploy` takes it.',
  async run(args, context) {
    const { since, file } = readOptions(args)
    const scope = await openScope(context, { since, keyring: findKeyring(context, file) })

    let broken = 0
    for (const { name, run } of checks) {
      const finding = await run(scope)
      if (isFalse(finding)) broken += 1
      context.print(lineOf(name, finding))
    }
    if (broken > 0) throw new AdminError(`${broken} of ${checks.length} invariants are false`)
  },
}

const OPTIONS = ['--since', '--secrets-file']

export function lineOf(name: string, finding: Finding): string {
  if (finding.kind === 'not checked') return `not checked  ${name}: ${finding.why}`

  const { checked, broken, examples } = finding
  return broken === 0
    ? `ok           ${name} (${checked})`
    : `FALSE        ${name}: ${broken} of ${checked}: ${examples.join(', ')}`
}

/** `parseArgs` is not used: the tests of the audit run in workerd, which does not have it. */
function readOptions(args: readonly string[]): { since: number; file: string | undefined } {
  const given = new Map<string, string>()
  for (let index = 0; index < args.length; index += 2) {
    const [name, value] = [args[index]!, args[index + 1]]
    if (!OPTIONS.includes(name)) throw new AdminError(`audit takes no '${name}'`)
    if (!value) throw new AdminError(`${name} needs a value`)
    given.set(name, value)
  }
  const since = given.get('--since')
  const at = since === undefined ? 0 : Date.parse(since)
  if (Number.isNaN(at)) throw new AdminError('--since needs an instant: 2026-11-21T12:00:00Z')
  return { since: at, file: given.get('--secrets-file') }
}
