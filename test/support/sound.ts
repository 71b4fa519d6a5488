/** Expects that the operator's audit finds nothing broken. */
import { expect } from 'vitest'
import type { Instant } from '../../shared/argentine-time.ts'
import { deliveryChecks } from '../../tools/operate/admin/audit/deliveries.ts'
import { quoteChecks } from '../../tools/operate/admin/audit/quotes.ts'
import { env } from './env.ts'

/** In the quotes; `more` are additional checks. */
export const expectSoundQuotes = (now: Instant, ...more: typeof quoteChecks) =>
  expectSound([...quoteChecks, ...more], { now, asOf: now - 1, since: now })

/** In the deliveries since 0, because the test decides how soon they are sent. */
export const expectSoundDeliveries = (now: Instant) =>
  expectSound(deliveryChecks, { now, asOf: 0, since: 0 })

async function expectSound(
  checks: typeof quoteChecks,
  times: Record<'now' | 'asOf' | 'since', Instant>,
): Promise<void> {
  for (const check of checks)
    expect(
      await check.run({ db: env.DB, kv: env.BOARD, keyring: null, ...times }),
      check.name,
    ).toMatchObject({ broken: 0 })
}
