import { Command } from '@commander-js/extra-typings'
import { adminCommand, AdminError } from './command.ts'
import { type Finding, isFalse } from './audit/check.ts'
import { checks } from './audit/checks.ts'
import { openScope } from './audit/scope.ts'
import { findKeyring } from './keyring.ts'

export const auditCommand = adminCommand(
  new Command('audit')
    .summary('Checks every invariant of the stored data; changes nothing.')
    .description(
      'Checks every invariant of the stored data; changes nothing. One line each: ok, FALSE with a few ' +
        'ids, or not checked with the reason; status 1 when one is FALSE. It may run beside the service.',
    )
    .option(
      '--since <INSTANT>',
      'leaves changes up to an instant (2026-11-21T12:00:00Z) without their deliveries: give the ' +
        'moment when WEBHOOK_ADMISSION was opened, if that is within a week',
      instant,
      0,
    )
    .option(
      '--secrets-file <FILE>',
      'with --remote, sealed fields are opened only with KEY_ENCRYPTION_KEYS in the environment or in ' +
        'this file, as `npm run deploy` takes it',
    ),
  async (_, context, { since, secretsFile }) => {
    const scope = await openScope(context, { since, keyring: findKeyring(context, secretsFile) })

    let broken = 0
    for (const { name, run } of checks) {
      const finding = await run(scope)
      if (isFalse(finding)) broken += 1
      context.print(lineOf(name, finding))
    }
    if (broken > 0) throw new AdminError(`${broken} of ${checks.length} invariants are false`)
  },
)

export function lineOf(name: string, finding: Finding): string {
  if (finding.kind === 'not checked') return `not checked  ${name}: ${finding.why}`

  const { checked, broken, examples } = finding
  return broken === 0
    ? `ok           ${name} (${checked})`
    : `FALSE        ${name}: ${broken} of ${checked}: ${examples.join(', ')}`
}

function instant(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new AdminError('--since needs an instant: 2026-11-21T12:00:00Z')
  return at
}
