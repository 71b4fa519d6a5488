import { expect } from 'vitest'
import type { Instant } from '../../shared/argentine-time.ts'
import { quoteChecks } from '../../tools/operate/admin/audit/quotes.ts'
import { env } from './env.ts'

/** What the operator's audit finds of the quotes; `more` checks besides. */
export async function expectSound(now: Instant, ...more: typeof quoteChecks): Promise<void> {
  const scope = { db: env.DB, kv: env.BOARD, now, asOf: now - 1, since: now, keyring: null }
  for (const check of [...quoteChecks, ...more])
    expect(await check.run(scope), check.name).toMatchObject({ broken: 0 })
}
