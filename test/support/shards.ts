/**
 * A spike, no part of the service: the delivery tables split over several databases by webhook. Each
 * holds the same tables (`webhooks`, `deliveries`, `capacity`, `delivery_tallies`, `notices`) for its
 * webhooks alone, so that every statement and transaction of the engine stays in one of them.
 */
import {
  type ChangedQuote,
  type OutboxOptions,
  outboxStatements,
} from '../../workers/scraper/db/outbox.ts'
import { hashed } from '../../tools/support/random.ts'
import { MAX_SHARDS } from '../../tools/prove/scale/design.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

/** The databases of deliveries, and which one has what. */
export interface Shards {
  all: readonly D1Database[]
  ofWebhook: (webhookId: string) => D1Database
  ofDelivery: (rowId: number) => D1Database
}

/** Row ids of one database. Its number is in an id's upper bits, so that a queue message names the row alone, as ever. */
export const IDS_PER_SHARD = 2 ** 53 / MAX_SHARDS

/** The number of the database that has a webhook, below `count`. */
export function shardOf(webhookId: string, count: number): number {
  return (hashed(webhookId) >>> 0) % count
}

/** The one function through which the engine would find its database. */
export function openShards(all: readonly D1Database[]): Shards {
  if (all.length === 0 || all.length > MAX_SHARDS)
    throw new RangeError(`${all.length} databases; 1 to ${MAX_SHARDS} are possible`)

  return {
    all,
    ofWebhook: (webhookId) => all[shardOf(webhookId, all.length)]!,
    ofDelivery(rowId) {
      const db = all[Math.floor(rowId / IDS_PER_SHARD)]
      if (!db) throw new RangeError(`no database has row ${rowId}`)
      return db
    },
  }
}

/**
 * The statements that make an empty, migrated database the shard of this number: its ids begin at its
 * range, and it remembers which events it has.
 */
export function shardStatements(db: D1Database, shard: number): D1PreparedStatement[] {
  return [
    db.prepare('create table events_made (event text primary key) strict, without rowid'),
    // AUTOINCREMENT goes on from the greatest id that the table ever had.
    db
      .prepare(
        insertRows('deliveries', {
          id: '?1',
          subscription_id: `''`,
          status: `'cancelled'`,
          resolved_at: 0,
        }),
      )
      .bind(shard * IDS_PER_SHARD || 1),
    db.prepare(`delete from deliveries where subscription_id = ''`),
  ]
}

/** The changes of one cycle, by an id that each try repeats. */
export interface ChangeEvent extends Omit<OutboxOptions, 'system'> {
  id: string
  changes: readonly ChangedQuote[]
}

/**
 * Makes the deliveries of an event in one shard, in one transaction. Resolves with their ids, or with
 * none where an earlier try made them: its key aborts the whole batch. Those rows may have no hint;
 * the sweeper finds them, as it finds any.
 */
export async function fanOut(
  db: D1Database,
  { id, changes, ...options }: ChangeEvent,
): Promise<number[]> {
  const statements = outboxStatements(db, changes, { ...options, system: null })
  try {
    const [, inserted] = await db.batch<{ id: number }>([
      db.prepare('insert into events_made (event) values (?1)').bind(id),
      ...statements,
    ])
    return inserted?.results.map((row) => row.id) ?? []
  } catch (error) {
    if (String(error).includes('UNIQUE constraint failed: events_made.event')) return []
    throw error
  }
}
