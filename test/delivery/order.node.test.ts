/** Compares the order of deliveries in the engine's SQL with its definition. */
import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { insertRows } from '../../tools/prove/harness/rows.ts'

const sqlite = new DatabaseSync(':memory:')
for (const file of globSync('migrations/*.sql').toSorted()) sqlite.exec(readFileSync(file, 'utf8'))

const FIRST = `exists (select 1 from delivery_order o where o.id = deliveries.id
  and o.head = o.id and (deliveries.status = 'sending' or not o.is_beside_another))`

const ids = (sql: string) =>
  sqlite
    .prepare(sql)
    .all()
    .map(({ id }) => id as number)

const INSERT = insertRows('deliveries', { subscription_id: '?1', type: '?2' })

/** Whether another open row of the same order meets a condition, as the contract defines it. */
const hasOther = (condition: string) => `exists (select 1 from deliveries p
  where p.subscription_id = deliveries.subscription_id and p.type <> 'manual'
    and p.redelivered = deliveries.redelivered and p.resolved_at is null and ${condition})`
const HAS_EARLIER = hasOther('p.id < deliveries.id')
const IS_SENT = hasOther(`p.id <> deliveries.id and p.status = 'sending'`)
const MAY_GO = `(type = 'manual' or not (${HAS_EARLIER}
  or (redelivered and ${IS_SENT})))`
const WAITS = `resolved_at is null and status <> 'sending'`

const OPENED = `status = 'pending', error_type = null, resolved_at = null`

/** Events. Each changes one of the rows that meet its condition. */
const EVENTS: Record<string, [rows: string, set: string]> = {
  claim: [`${WAITS} and ${MAY_GO}`, `status = 'sending'`],
  deliver: [`status = 'sending'`, `status = 'delivered', resolved_at = 1`],
  fail: [`status = 'sending'`, `status = 'failed', error_type = 'http'`],
  die: [`status = 'sending'`, `status = 'dead', error_type = 'http', resolved_at = 1`],
  lapse: [`status = 'sending'`, `status = 'cancelled', error_type = 'http', resolved_at = 1`],
  giveBack: [`status = 'sending'`, `status = 'pending'`],
  cancel: [WAITS, `status = 'cancelled', resolved_at = 1`],
  redeliver: [`resolved_at is not null`, `${OPENED}, redelivered = 1`],
  expire: [WAITS, `status = 'dead', error_type = 'expired', resolved_at = 1`],
}

const webhook = fc.constantFrom('one', 'two')
const anEvent = fc.oneof(
  fc.record({
    make: fc.constantFrom('automatic', 'sync', 'manual', 'automatic'),
    webhook,
  }),
  fc.record({ event: fc.constantFrom(...Object.keys(EVENTS)), nth: fc.nat(9) }),
)

it('the view delivery_order finds the first delivery that may be sent, after any events', () => {
  fc.assert(
    fc.property(fc.array(anEvent, { maxLength: 60 }), (events) => {
      sqlite.exec('delete from deliveries')
      for (const event of events) {
        if ('make' in event) sqlite.prepare(INSERT).run(event.webhook, event.make)
        else {
          const [rows, set] = EVENTS[event.event]!
          const found = ids(`select id from deliveries where ${rows} order by id`)
          const id = found[event.nth % Math.max(1, found.length)] ?? 0
          sqlite.prepare(`update deliveries set ${set} where id = ?`).run(id)
        }

        const open = `resolved_at is null`
        expect(ids(`select id from deliveries where ${open} and ${FIRST}`)).toEqual(
          ids(`select id from deliveries where ${open} and ${MAY_GO}`),
        )
        for (const name of ['one', 'two']) {
          const own = `subscription_id = '${name}' and type <> 'manual' and ${open}`
          const heads = `select distinct o.head as id from delivery_order o
            join deliveries d on d.id = o.id
            where d.${own} and not d.redelivered`
          expect(ids(heads)).toEqual(
            ids(`select id from deliveries where ${own} and not redelivered order by id limit 1`),
          )
          // Of redeliveries in order only one is sent at a time, whenever the others were opened.
          const sent = `${own} and redelivered = 1 and status = 'sending'`
          expect(ids(`select id from deliveries where ${sent}`).length).toBeLessThan(2)
        }
      }
    }),
    { numRuns: 200 },
  )
})
