/**
 * The alerts whose rules a cycle's values meet. One read finds the alerts of the changed pairs, and
 * this module computes their new phases. The batch that records the values writes a phase and its
 * event only if the alert is unchanged since the read and the values are in effect.
 *
 * An alert made or edited after the read counts as made after the change.
 */
import {
  type Phase,
  type Quote,
  crossing,
  measure,
  MAIL_EVERY_MS,
} from '../../../shared/alerts/alert.ts'
import { alertBody } from '../../../shared/alerts/event.ts'
import { type Instant, startOfDay } from '../../../shared/argentine-time.ts'
import { type RuleRow, toRule } from '../../../shared/db/alerts.ts'
import type { Statement } from '../../../shared/db/named-batch.ts'
import { type Pair, pairById } from '../../../shared/market/catalog.ts'
import { deliveryIdSql } from '../../../shared/webhooks/delivery.ts'

type PairQuote = Quote & { pair: Pair }

/** The values around a cycle, of all pairs. */
export interface Move {
  before: readonly PairQuote[]
  after: readonly PairQuote[]
  /** The pairs whose value changed. */
  changed: readonly Pair[]
}

interface Firing {
  at: Instant
  /** Whether alerts may fire. They are armed in any case. */
  admitted: boolean
  /** The most deliveries that may be open at once. */
  capacity: number
}

/** The write for one alert, if the alert is unchanged since the read. */
interface Entry {
  id: string
  /** Everything that the evaluation depends on, as `findAlerts` printed it. */
  asRead: string
  /** The values of the evaluation, as `printed`. */
  quote: string
  other: string | null
  /** The phase of the alert if it does not fire. */
  phase: Phase
  /** The event's body; null when the alert does not fire. */
  body: string | null
}

/** Entries per statement: D1 takes at most 2 MB per parameter. */
const CHUNK = 1000

/**
 * The statements for a cycle's batch, after the statements that write its values. The batch must be
 * fenced. An alert by webhook fires only while there is capacity; without capacity it stays armed.
 * The returned rows are deliveries to enqueue.
 */
export async function alertStatements(
  db: D1Database,
  move: Move,
  firing: Firing,
): Promise<Statement<{ id: number }>[]> {
  if (move.changed.length === 0) return []
  const rows = await findAlerts(db, move.changed, firing.at)
  const entries = entriesOf(rows, move, firing)
  const chunks = Array.from({ length: Math.ceil(entries.length / CHUNK) }, (_, index) =>
    entries.slice(index * CHUNK, (index + 1) * CHUNK),
  )
  return chunks.flatMap((chunk) => writeEntries(db, chunk, firing))
}

interface AlertRow extends RuleRow {
  id: string
  pair: number
  asRead: string
}

/**
 * The active alerts of the changed pairs, and the alerts that compare with a changed pair. The
 * pairs are listed in the SQL text, because `values` reads no row, unlike `json_each`.
 */
async function findAlerts(db: D1Database, changed: readonly Pair[], at: Instant) {
  const pairs = changed.map(({ id }) => id)
  const list = `(values ${pairs.map((id) => `(${id})`).join(', ')})`
  const { results } = await db
    .prepare(
      `select w.id, w.pair, a.side, a.condition, a.threshold, a.hysteresis,
         a.other_pair as otherPair, a.other_side as otherSide, a.repeats, a.phase,
         case a.condition when 'change' then (select iif(a.side = 'buy', p.buy, p.sell) from points p
           where p.pair = w.pair and p.at < ?1 order by p.at desc limit 1) end as close,
         json_array(w.pair, a.side, a.condition, a.threshold, a.hysteresis, a.other_pair,
           a.other_side, a.repeats, a.phase) as asRead
       from (
         select id, pair from ${list} join subscriptions
           on kind = 'alert' and pair = column1 and state = 'active'
         union all
         select w.id, w.pair from ${list} join alerts a on a.other_pair = column1
           join subscriptions w on w.id = a.id and w.state = 'active'
             and w.pair not in (${pairs.join(', ')})
       ) w join alerts a on a.id = w.id`,
    )
    .bind(startOfDay(at))
    .all<AlertRow>()
  return results
}

/** An entry for each alert that the change fires or moves to another phase. */
function entriesOf(rows: readonly AlertRow[], move: Move, { at, admitted }: Firing): Entry[] {
  const before = new Map(move.before.map((quote) => [quote.pair, quote]))
  const after = new Map(move.after.map((quote) => [quote.pair, quote]))
  // A pair's first value makes no event (decision 41: creation sends no sync).
  const news = new Set(move.changed.filter((pair) => before.has(pair)))

  return rows.flatMap((row): Entry[] => {
    const pair = pairById(row.pair)!
    const rule = toRule(pair, row)
    const other = rule.against?.pair
    const values = (quotes: typeof after) =>
      measure(rule, quotes.get(pair), other && quotes.get(other), row.close)
    const measured = values(after)
    if (!measured) return []

    const found = crossing(rule, row.phase, { before: values(before), after: measured })
    const fires = found.fires && admitted && (news.has(pair) || (other && news.has(other)))
    if (!fires && found.phase === row.phase) return []
    const body = fires ? alertBody('triggered', { ...rule, id: row.id }, measured, at) : null
    return [
      {
        id: row.id,
        asRead: row.asRead,
        quote: printed(measured.quote),
        other: measured.other && printed(measured.other),
        phase: found.phase,
        body,
      },
    ]
  })
}

function printed({ buy, sell, updatedAt }: Quote): string {
  return JSON.stringify([buy, sell, updatedAt])
}

/**
 * Each statement takes the entries that still apply: the alert is active and unchanged since the
 * read (view `standing_alerts`), did not fire in this cycle, and the values are in effect.
 */
function writeEntries(
  db: D1Database,
  entries: readonly Entry[],
  { at, capacity }: Firing,
): Statement<{ id: number }>[] {
  const list = JSON.stringify(entries)
  const write = (sql: string): Statement<{ id: number }> => db.prepare(sql).bind(at, list)
  return [
    db
      .prepare(
        `insert into deliveries (delivery_id, subscription_id, revision, pair,
           destination, type, status, attempts, releases, body, created_at, next_attempt_at)
         select ${deliveryIdSql('?1')}, w.id, w.revision, w.pair, w.destination,
           'automatic', 'pending', 0, 0, c.value ->> 'body', ?1, ?1
         from json_each(?2) c join standing_alerts a on a.id = c.value ->> 'id'
           join subscriptions w on w.id = a.id
         where a.fired_at is not ?1 and a.as_read = c.value ->> 'asRead'
           and a.quote = c.value ->> 'quote' and a.other_quote is c.value ->> 'other'
           and c.value ->> 'body' is not null and w.destination is not null
         limit max(0, ?3 - (select outstanding from open_deliveries))
         returning id`,
      )
      .bind(at, list, capacity),
    write(
      `insert into alert_firings (at, alert_id, kind, body)
       select ?1, a.id, 'triggered', c.value ->> 'body'
       from json_each(?2) c join standing_alerts a on a.id = c.value ->> 'id'
       where a.fired_at is not ?1 and a.as_read = c.value ->> 'asRead'
         and a.quote = c.value ->> 'quote' and a.other_quote is c.value ->> 'other'
         and c.value ->> 'body' is not null and a.destination is null
       on conflict (alert_id, at, kind) do nothing`,
    ),
    // The e-mail is due an hour after the alert's last e-mail, or at the time that was already set.
    write(
      `update alerts set phase = iif(repeats, 'waiting', 'done'), fired_at = ?1,
         mail_due_at = iif(a.destination is null,
           coalesce(mail_due_at, max(?1, coalesce(mailed_at + ${MAIL_EVERY_MS}, 0))), mail_due_at)
       from json_each(?2) c join standing_alerts a on a.id = c.value ->> 'id'
       where alerts.id = a.id and a.fired_at is not ?1 and a.as_read = c.value ->> 'asRead'
         and a.quote = c.value ->> 'quote' and a.other_quote is c.value ->> 'other'
         and c.value ->> 'body' is not null and (a.destination is null or exists (
           select 1 from deliveries d
           where d.subscription_id = a.id and d.created_at = ?1 and d.type = 'automatic'))`,
    ),
    write(
      `update alerts set phase = c.value ->> 'phase'
       from json_each(?2) c join standing_alerts a on a.id = c.value ->> 'id'
       where alerts.id = a.id and a.fired_at is not ?1 and a.as_read = c.value ->> 'asRead'
         and a.quote = c.value ->> 'quote' and a.other_quote is c.value ->> 'other'
         and alerts.phase is not c.value ->> 'phase'`,
    ),
  ]
}
