import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Keyring } from '../../../../shared/crypto/sealed-box.ts'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'

export interface Check {
  /** The invariant as a sentence that is true of a sound database. */
  name: string
  run(scope: Scope): Promise<Finding>
}

/** What a check may use. It only reads. */
export interface Scope {
  db: D1Database
  kv: KVNamespace
  now: Instant
  /**
   * The instant by which work should have been done. It is now, or the last cycle of a local
   * service that does not run.
   */
  asOf: Instant
  /** Changes up to here need no deliveries: admission may have been closed. */
  since: Instant
  /** Null when the key-encryption secrets are not at hand. */
  keyring: Keyring | null
}

/** Examples hold ids, pairs and instants: never a URL, a secret or a body. */
export type Finding =
  | { kind: 'checked'; checked: number; broken: number; examples: readonly string[] }
  | { kind: 'not checked'; why: string }

const EXAMPLES = 5

/** What a check found: how many rows it looked at, and the names of the broken ones. */
export function foundBroken(checked: number, broken: readonly string[]): Finding {
  const examples = broken.slice(0, EXAMPLES)
  return { kind: 'checked', checked, broken: broken.length, examples }
}

/**
 * Invariants in SQL, by their sentence. Each is a query of two columns: what names a row, and
 * whether it is broken (1, 0; null counts as broken). It knows `given.now`, `given.as_of` and
 * `given.since`. One statement checks and counts, so that it sees a running service at one moment;
 * examples are read only when something is broken.
 */
export function checksOf(sql: Readonly<Record<string, string>>): Check[] {
  return Object.entries(sql).map(([name, rows]) => ({
    name,
    async run({ db, now, asOf, since }) {
      const evaluate = (select: string) =>
        db
          .prepare(
            `with given(now, as_of, since) as (select ?1, ?2, ?3), evaluated(id, broken) as (${rows})
             ${select}`,
          )
          .bind(now, asOf, since)

      const counts = await evaluate(
        `select count(*) as checked, coalesce(sum(ifnull(broken, 1)), 0) as broken from evaluated`,
      ).first<{ checked: number; broken: number }>()
      if (counts!.broken === 0) return { kind: 'checked', ...counts!, examples: [] }

      const { results } = await evaluate(
        `select id from evaluated where ifnull(broken, 1) limit ${EXAMPLES}`,
      ).all<{ id: string | number }>()
      return { kind: 'checked', ...counts!, examples: results.map(({ id }) => String(id)) }
    },
  }))
}

/** Clocks of different machines differ by less. */
export const CLOCK_SLACK_MS = 60_000

/** `USD/BLUE` for a column that holds a pair. */
export function pairName(column: string): string {
  const cases = PAIRS.map((pair) => `when ${pair.id} then '${pairKey(pair)}'`)
  return `case ${column} ${cases.join(' ')} else 'pair ' || ${column} end`
}

export function utc(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`
}

/** The ids of the catalogue as rows `value`. */
export const EVERY_PAIR = `json_each('${JSON.stringify(PAIRS.map(({ id }) => id))}')`
