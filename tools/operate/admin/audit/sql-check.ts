import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { type Check, type Checked, EXAMPLES, type Scope } from './check.ts'

/**
 * What every statement knows: `given.now`, `given.as_of`, `given.since` and `given.accounts` (a
 * JSON list). All four are always used, so that each statement has the same parameters.
 */
const GIVEN = `given(now, as_of, since, accounts) as (select ?1, ?2, ?3, ?4)`

/**
 * A check in SQL. `rows` is a query of two columns: what names a row, and whether it is broken (1,
 * 0; null counts as broken). One statement checks and counts, so that it sees a running service at
 * one moment. Examples are read only when something is broken.
 */
export function sqlCheck(name: string, rows: string): Check {
  return { name, run: (scope) => evaluate(scope, rows, '[]') }
}

/** The same over one page of accounts at a time, for what lies in `given.accounts`. */
export function sqlCheckByAccount(name: string, rows: string): Check {
  return {
    name,
    async run(scope) {
      let checked = 0
      let broken = 0
      const examples: string[] = []
      for (const page of scope.pages) {
        const found = await evaluate(scope, rows, page)
        checked += found.checked
        broken += found.broken
        examples.push(...found.examples)
      }
      return { kind: 'checked', checked, broken, examples: examples.slice(0, EXAMPLES) }
    },
  }
}

async function evaluate(
  { db, now, asOf, since }: Scope,
  rows: string,
  accounts: string,
): Promise<Checked> {
  const given = [now, asOf, since, accounts]
  const evaluated = `with ${GIVEN}, evaluated(id, broken) as (${rows})`

  const counts = await db
    .prepare(
      `${evaluated} select count(*) as checked, coalesce(sum(ifnull(broken, 1)), 0) as broken
       from evaluated`,
    )
    .bind(...given)
    .first<{ checked: number; broken: number }>()
  const { checked, broken } = counts!
  if (broken === 0) return { kind: 'checked', checked, broken, examples: [] }

  const { results } = await db
    .prepare(`${evaluated} select id from evaluated where ifnull(broken, 1) limit ${EXAMPLES}`)
    .bind(...given)
    .all<{ id: string | number }>()
  return { kind: 'checked', checked, broken, examples: results.map(({ id }) => String(id)) }
}

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

const PAGE = `select value from json_each((select accounts from given))`

/** The webhooks of the page's accounts, found by their index. */
export const OF_PAGE = `account_id in (${PAGE})`

/** Their deliveries, found by their webhook's index. The system's webhook has its account's name. */
export const DELIVERY_OF_PAGE = `subscription_id in (${PAGE} union all
  select id from subscriptions where ${OF_PAGE})`
