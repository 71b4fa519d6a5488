import { findPairByKey } from '../../shared/market/catalog.ts'
import { type Instant, argentineDay } from '../../shared/argentine-time.ts'
import { createAccount } from '../../shared/db/accounts/accounts.ts'
import { createKey } from '../../shared/db/accounts/api-keys.ts'
import { rebuildCandles } from '../../shared/db/quotes/candles.ts'
import { randomBytes as random } from '../harness/random.ts'

export const ACCOUNTS = 200
/** Points of the pair, one an hour. */
export const HOURS = 20_000

export const blue = findPairByKey('usd/blue')!

/** Fills a database as an ordinary one is; returns one of its keys. */
export async function fillOrdinary(db: D1Database, now: Instant): Promise<string> {
  let key = ''
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = await createAccount(db, { email: `a${index}@bench.test`, now, random })
    if (!account.ok) throw new Error(account.refusal)
    const order = { accountId: account.value.id, name: 'bench', now, random }
    const issued = await createKey(db, order)
    if (!issued.ok) throw new Error(issued.refusal)
    key = issued.value.key
  }
  await db
    .prepare(
      `insert into points with recursive n(i) as
         (select 0 union all select i + 1 from n where i < ?1)
       select ?2, ?3 - i * 3600000, 1, i % 7, 'bench' from n`,
    )
    .bind(HOURS, blue.id, now)
    .run()
  await rebuildCandles(db, blue, '2020-01-01', argentineDay(now))
  return key
}
