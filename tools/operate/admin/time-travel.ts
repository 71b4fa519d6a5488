import { readFileSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { deleteAccount } from '../../../shared/db/accounts.ts'
import { removeSubscription } from '../../../shared/db/change-subscription.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'
import { type AdminContext, run } from './command.ts'
import { pause } from './webhook.ts'

export const timeTravelCommand = new Command('time-travel').description(
  'Keeps deleted accounts, keys and webhooks deleted when a database is restored to an earlier time.',
)

timeTravelCommand
  .command('before <FILE>')
  .description('Before the restore: writes a list of all accounts, keys and webhooks to FILE.')
  .action(
    run(async ({ db, print }, file) => {
      const noted = await readPresent(db)
      writeFileSync(file, JSON.stringify(noted), { mode: 0o600, flag: 'wx' })
      print(countsOf(noted, 'noted'))
    }),
  )

timeTravelCommand
  .command('after <FILE>')
  .description(
    'After the restore: removes accounts, webhooks and keys that are not in FILE, repeats rotations ' +
      'and pauses that are in FILE, and makes the nightly files due.',
  )
  .action(
    run(async (context, file) => {
      const then = JSON.parse(readFileSync(file, 'utf8')) as Present
      const back = await readPresent(context.db)
      context.print(countsOf(await removeAgain(context, then, back), 'removed or changed again'))
      const lost = lackingIn(back, then)
      context.print(countsOf(lost, 'made since are gone'))
      for (const { email } of lost.accounts) context.print(`  ${email}`)
    }),
  )

interface Present {
  accounts: { id: string; email: string }[]
  keys: { id: string; accountId: string; prefix: string; hash: string }[]
  webhooks: {
    id: string
    accountId: string
    kind: SubscriptionKind
    version: number
    enabled: 0 | 1
  }[]
}

async function readPresent(db: D1Database): Promise<Present> {
  const rows = async <Row>(sql: string) => (await db.prepare(sql).all<Row>()).results
  return {
    accounts: await rows('select id, email from accounts'),
    keys: await rows('select id, account_id as accountId, prefix, hash from api_keys'),
    webhooks: await rows(
      `select id, account_id as accountId, kind, version,
         state in ('active', 'capacity') as enabled from subscriptions`,
    ),
  }
}

/** The rows of `these` that are not in `those`. */
function lackingIn(those: Present, these: Present): Present {
  return {
    accounts: lacking(those.accounts, these.accounts),
    keys: lacking(those.keys, these.keys),
    webhooks: lacking(those.webhooks, these.webhooks),
  }
}

function lacking<Row extends { id: string }>(some: readonly Row[], all: readonly Row[]): Row[] {
  const ids = new Set(some.map(({ id }) => id))
  return all.filter(({ id }) => !ids.has(id))
}

/** Repeats the deletions, rotations and pauses since the restored time. Returns what it changed. */
async function removeAgain(context: AdminContext, then: Present, back: Present): Promise<Present> {
  const { db } = context
  const { accounts, keys, webhooks: revived } = lackingIn(then, back)
  for (const { id } of accounts) await deleteAccount(db, id)
  for (const { id, accountId, version, kind } of revived)
    await removeSubscription(db, { id, accountId, version }, kind)
  const rotated = then.keys.filter(({ id, hash }) =>
    back.keys.some((key) => key.id === id && key.hash !== hash),
  )
  const paused = then.webhooks.flatMap(({ id, enabled }) =>
    enabled ? [] : back.webhooks.filter((webhook) => webhook.id === id && webhook.enabled),
  )
  for (const webhook of paused) await pause(context, webhook)
  await namedBatch(db, {
    revoked: keys.map(({ id }) => db.prepare('delete from api_keys where id = ?1').bind(id)),
    rotated: rotated.map(({ id, prefix, hash }) =>
      db.prepare('update api_keys set prefix = ?2, hash = ?3 where id = ?1').bind(id, prefix, hash),
    ),
    // A new revision makes the scraper rebuild files and charts from the restored data.
    history: db.prepare('update history_revision set revision = unixepoch() * 1000'),
  })
  return { accounts, keys: [...keys, ...rotated], webhooks: [...revived, ...paused] }
}

function countsOf({ accounts, keys, webhooks }: Present, what: string): string {
  return `${accounts.length} accounts, ${keys.length} keys, ${webhooks.length} webhooks ${what}`
}
