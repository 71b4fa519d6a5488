import { Command } from '@commander-js/extra-typings'
import { CommandError } from '../../support/arguments.ts'
import { type AdminContext, run } from './command.ts'
import { readSince } from './read-values.ts'
import type { Check, Finding, Scope } from './audit/check.ts'
import { findKeyring } from './keyring.ts'
import { changeChecks, deliveryChecks } from './audit/deliveries.ts'
import { documentChecks } from './audit/documents.ts'
import { quoteChecks } from './audit/quotes.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Keyring } from '../../../shared/crypto/sealed-box.ts'

export const auditCommand = new Command('audit')
  .description(
    'Checks every invariant of the stored data, and changes nothing. Prints one line for each: ok, FALSE ' +
      'with a few ids, or not checked with the reason. Exits with 1 if an invariant is FALSE. The ' +
      'service may be running. With --remote, checks sealed fields only if the environment has ' +
      'KEY_ENCRYPTION_KEYS.',
  )
  .option(
    '--since <INSTANT>',
    'does not expect deliveries of changes up to this instant (2026-11-21T12:00:00Z): give the instant ' +
      'at which WEBHOOK_ADMISSION was opened, if that was less than a week ago',
    readSince,
  )
  .action(
    run(async (context, { since = 0 }) => {
      const keyring = await findKeyring(context)
      const scope = await openScope(context, { since, keyring })

      let broken = 0
      for (const { name, run } of checks) {
        const finding = await run(scope)
        if ('broken' in finding && finding.broken > 0) broken += 1
        context.print(lineOf(name, finding))
      }
      if (broken > 0) throw new CommandError(`${broken} of ${checks.length} invariants are false`)
    }),
  )

export function lineOf(name: string, finding: Finding): string {
  if ('notChecked' in finding) return `not checked  ${name}: ${finding.notChecked}`

  const { checked, broken, examples } = finding
  return broken === 0
    ? `ok           ${name} (${checked})`
    : `FALSE        ${name}: ${broken} of ${checked}: ${examples.join(', ')}`
}

/** Every invariant, in the order in which `audit` prints them. */
export const checks: readonly Check[] = [
  ...changeChecks,
  ...deliveryChecks,
  ...quoteChecks,
  ...documentChecks,
]

export async function openScope(
  { db, kv, now }: Pick<AdminContext, 'db' | 'kv' | 'now'>,
  { since, keyring }: { since: Instant; keyring: Keyring | null },
): Promise<Scope> {
  const lastCycle = await db
    .prepare(`select cycle ->> 'at' as at from scraper_state`)
    .first<Instant>('at')
  return { db, kv, now: now(), asOf: lastCycle ?? now(), since, keyring }
}
