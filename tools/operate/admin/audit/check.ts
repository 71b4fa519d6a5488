import {
  argentineDay,
  dayStart,
  type Instant,
  MINUTE_MS,
} from '../../../../shared/argentine-time.ts'
import type { Keyring } from '../../../../shared/crypto/sealed-box.ts'
import { RETENTION_MS } from '../../../../shared/db/deliveries/claim.ts'
import { pairById, pairKey } from '../../../../shared/market/catalog.ts'

export interface Check {
  /** The invariant, as a sentence that is true for a sound database. */
  name: string
  run(scope: Scope): Promise<Finding>
}

/** The input of a check. A check only reads. */
export interface Scope {
  db: D1Database
  kv: KVNamespace
  now: Instant
  /** The last cycle: work due by then must be done. Later, the service may have been stopped. */
  asOf: Instant
  /** Changes up to this instant need no deliveries: admission may have been closed. */
  since: Instant
  /** Null when the key-encryption secrets are not available. */
  keyring: Keyring | null
}

/** Examples contain ids, pairs and instants, never a URL, a secret or a body. */
export type Finding =
  | { checked: number; broken: number; examples: readonly string[] }
  | { notChecked: string }

const EXAMPLES = 5

/** The result of a check: the number of rows checked and the names of the broken ones. */
export function foundBroken(checked: number, broken: readonly string[]): Finding {
  return { checked, broken: broken.length, examples: broken.slice(0, EXAMPLES) }
}

/**
 * Checks from invariants in SQL. The key is the invariant's sentence, the value a whole query,
 * which can be pasted into `sqlite3`: `id` names a row, or begins with `pair` and the number of a
 * pair; `broken` is 1 or null if the row breaks the invariant, else 0; `?1` is the result of
 * `instantsOf`. One statement checks and counts, so that it sees a running service at one instant.
 */
export function checksOf(sql: Readonly<Record<string, string>>): Check[] {
  return Object.entries(sql).map(([name, rows]) => ({
    name,
    async run({ db, ...scope }) {
      // `?1 <> ''` uses the parameter in every query, because D1 refuses an unused value.
      const found = await db
        .prepare(
          `with found as materialized (
             select id, ifnull(broken, 1) as broken from (${rows}) where ?1 <> '')
           select count(*) as checked, total(broken) as broken, (select json_group_array(id) from
             (select id from found where broken limit ${EXAMPLES})) as examples
           from found`,
        )
        .bind(JSON.stringify(instantsOf(scope)))
        .first<{ checked: number; broken: number; examples: string }>()
      const ids = JSON.parse(found!.examples) as (string | number)[]
      return { ...found!, examples: ids.map(withPairName) }
    },
  }))
}

/** `pair 3 at …` becomes `USD/BLUE at …`. */
function withPairName(id: string | number): string {
  return String(id).replace(/^pair (\d+)/, (text, number) => {
    const pair = pairById(Number(number))
    return pair ? pairKey(pair) : text
  })
}

/** Work is late after this time. Usually a sweep does it within 90 s, later if a receiver hangs. */
const PATIENCE_MS = 10 * MINUTE_MS

/** The clocks of different machines may differ by less than this. */
const CLOCK_SLACK_MS = MINUTE_MS

/** The instants and days that queries read by name. */
function instantsOf({ now, asOf, since }: Pick<Scope, 'now' | 'asOf' | 'since'>) {
  const weekAgo = now - RETENTION_MS
  const firstDay = argentineDay(weekAgo)
  return {
    asOf,
    soon: now + CLOCK_SLACK_MS,
    weekAgo,
    changesSince: Math.max(since, weekAgo),
    firstDay,
    firstMidnight: dayStart(firstDay),
    late: asOf - PATIENCE_MS,
    expired: asOf - PATIENCE_MS - RETENTION_MS,
  }
}
