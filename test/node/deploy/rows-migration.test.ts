/** Migration 0012 on a database with deliveries in every state, beside the Workers before it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { deliveryCounters } from '../../../shared/db/deliveries/counters.ts'
import { FIRST, headOf } from '../../../shared/db/deliveries/open.ts'
import { tallyDelivered } from '../../../shared/db/deliveries/tallies.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
const FIVE_MINUTES = 300_000
const NOW = 1000 * FIVE_MINUTES

type Value = string | number | null

/** Status of each delivery of one webhook, by id; the third and the last are tests. */
const STATES = [
  ['automatic', 'delivered'],
  ['automatic', 'dead'],
  ['manual', 'pending'],
  ['automatic', 'cancelled'],
  ['sync', 'sending'],
  ['automatic', 'failed'],
  ['automatic', 'pending'],
  ['manual', 'delivered'],
] as const
const isOpen = (status: string) => ['pending', 'sending', 'failed'].includes(status)

const filesOf = (folder: string) =>
  readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

function apply(sqlite: DatabaseSync, files: readonly string[]): void {
  for (const file of files) sqlite.exec(readFileSync(join(FOLDER, file), 'utf8'))
}

/** What 0011 left, with rows. */
function openBefore(): DatabaseSync {
  const sqlite = new DatabaseSync(':memory:')
  apply(
    sqlite,
    filesOf('.').filter((file) => file < '0012'),
  )
  for (const [index, [type, status]] of STATES.entries())
    sqlite
      .prepare(
        `insert into deliveries (id, delivery_id, webhook_id, account_id, revision, pair,
           destination, type, status, attempts, releases, body, created_at, next_attempt_at,
           resolved_at, hinted_at)
         values (?1, 'id ' || ?1, 'w', 'a', 1, 3, 'https://x', ?2, ?3, 1, 0, '{}', ?4, ?4, ?5, ?6)`,
      )
      .run(
        index + 1,
        type,
        status,
        NOW,
        isOpen(status) ? null : NOW,
        status === 'failed' ? NOW : null,
      )
  sqlite.exec('insert into capacity (id, outstanding) values (1, 4)')
  return sqlite
}

/** As much of D1 as a statement needs. */
const d1 = (sqlite: DatabaseSync) =>
  ({
    prepare: (sql: string) => ({
      bind: (...values: Value[]) => ({
        run: () => sqlite.prepare(sql).run(...values),
        first: async () => sqlite.prepare(sql).get(...values),
      }),
    }),
  }) as unknown as D1Database

/** What the Workers of 0011 ask by the name of an index, or of a key. */
const OF_BEFORE = [
  `select * from deliveries indexed by deliveries_delivery_id where account_id = 'a'
    and delivery_id = 'id 1'`,
  `select id from deliveries indexed by deliveries_look
    where hinted_at is null and resolved_at is null order by id limit 1`,
  `select id from deliveries indexed by deliveries_begun
    where hinted_at is not null and resolved_at is null order by id limit 1`,
  `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination, type,
     status, attempts, releases, body, created_at, next_attempt_at)
   select delivery_id, webhook_id, account_id, revision, pair, destination, type, status, attempts,
     releases, body, created_at, next_attempt_at from deliveries where id = 1
   on conflict (delivery_id) do nothing`,
]

const rowsOf = (sqlite: DatabaseSync, sql: string) => sqlite.prepare(sql).all()

it('keeps every row, and the Workers before it can ask all that they ask', () => {
  const sqlite = openBefore()
  const before = rowsOf(sqlite, 'select * from deliveries order by id')
  apply(sqlite, ['0012_fewer_rows_a_delivery.sql'])

  for (const sql of OF_BEFORE) expect(() => sqlite.prepare(sql).all()).not.toThrow()
  expect(rowsOf(sqlite, 'select * from deliveries order by id')).toEqual(before)

  // They go on to write tallies themselves, which the triggers of 0006 take from the capacity.
  sqlite.exec(`insert into delivery_tallies (at, delivered, dead) values (${NOW}, 1, 0)
    on conflict (at) do update set delivered = delivered + 1`)
  expect(rowsOf(sqlite, 'select outstanding from capacity')).toEqual([{ outstanding: 3 }])
})

it('reads the order and the oldest of what was there, before and after the old indexes go', async () => {
  const sqlite = openBefore()
  apply(sqlite, ['0012_fewer_rows_a_delivery.sql'])
  for (const gone of [[], filesOf('after').map((file) => `after/${file}`)]) {
    apply(sqlite, gone)
    expect(rowsOf(sqlite, `select id from deliveries where ${FIRST} order by id`)).toEqual(
      [1, 2, 3, 4, 5, 8].map((id) => ({ id })),
    )
    expect(rowsOf(sqlite, `select ${headOf(`'w'`)} as id`)).toEqual([{ id: 5 }])
    expect(await deliveryCounters(d1(sqlite), NOW)).toMatchObject({
      outstanding: 4,
      oldestWaitingAt: NOW,
    })
  }
  const indexes = rowsOf(
    sqlite,
    `select name from sqlite_master where tbl_name = 'deliveries' and type = 'index' order by name`,
  )
  expect(indexes.map(({ name }) => name)).toEqual(
    ['begun', 'hinted', 'new', 'tests', 'webhook'].map((name) => `deliveries_${name}`),
  )
})

it('goes back: what older Workers name is there again', () => {
  const sqlite = openBefore()
  const folders = ['after', 'back'].flatMap((folder) =>
    filesOf(folder).map((file) => `${folder}/${file}`),
  )
  apply(sqlite, ['0012_fewer_rows_a_delivery.sql', ...folders])
  for (const sql of OF_BEFORE) expect(() => sqlite.prepare(sql).all()).not.toThrow()
})

it('counts an end once, in the capacity and in its five minutes, whichever Worker counts', async () => {
  const sqlite = openBefore()
  apply(sqlite, ['0012_fewer_rows_a_delivery.sql'])
  const deliver = (id: number, at: number) => {
    sqlite
      .prepare(`update deliveries set status = 'delivered', resolved_at = ? where id = ?`)
      .run(at, id)
    void tallyDelivered(d1(sqlite), at).run()
  }
  // Six of others are open.
  sqlite.exec('update capacity set outstanding = outstanding + 6')
  sqlite.exec(`insert into delivery_tallies (at, delivered, dead) values (${NOW}, 0, 1)`)
  deliver(5, NOW + 1)
  deliver(6, NOW + FIVE_MINUTES)
  // A clock that is behind counts into its own five minutes.
  deliver(7, NOW + 2)
  deliver(3, NOW + FIVE_MINUTES)

  expect(rowsOf(sqlite, 'select outstanding from capacity')).toEqual([{ outstanding: 5 }])
  expect(rowsOf(sqlite, 'select * from delivery_tallies order by at')).toEqual([
    { at: NOW, delivered: 2, dead: 1 },
    { at: NOW + FIVE_MINUTES, delivered: 1, dead: 0 },
  ])
  expect(await deliveryCounters(d1(sqlite), NOW + FIVE_MINUTES)).toMatchObject({
    deliveredLastHour: 4,
    deadLastHour: 1,
  })
})
