/**
 * Compiles every statement of shared/db, shared/subscriptions and each Worker's `db` folder against the migrated schema,
 * so that a wrong table or column name fails here rather than in a request. A function that takes a
 * database and stands in no table, or a `prepare` that no call of the tables reaches, fails too.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { compile, recordStatements } from '../../support/recorded-statements.ts'
import { accountCalls } from './statements/accounts.ts'
import { alertCalls } from './statements/alerts.ts'
import { deliveryCalls } from './statements/deliveries.ts'
import { quoteCalls } from './statements/quotes.ts'
import { openStatementFixture, type StatementFixture } from './statements/fixture.ts'
import { subscriptionCalls } from './statements/subscriptions.ts'

const CALLS = {
  ...accountCalls,
  ...quoteCalls,
  ...deliveryCalls,
  ...subscriptionCalls,
  ...alertCalls,
}

/** They hand the database on and ask it nothing. */
const WRAPPERS = [
  'database.ts openDatabase',
  'retry-when-busy.ts retryWhenBusy',
  'watch.ts watchDatabase',
  'subscriptions/context.ts openSubscriptionContext',
]

const sources = Object.entries(
  import.meta.glob<string>(
    [
      '../../../shared/db/**/*.ts',
      '../../../shared/subscriptions/*.ts',
      '../../../workers/*/db/**/*.ts',
    ],
    { query: '?raw', import: 'default', eager: true },
  ),
).map(([path, text]) => ({ file: path.replace(/^[./]+(shared\/db|shared|workers)\//, ''), text }))

let fixture: StatementFixture
beforeEach(async () => {
  fixture = await openStatementFixture()
})

/** `file function` of every exported function with a parameter that holds a database. */
const takers = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(([^]*?)\n?\)(?::|\s\{)/gm)]
    .filter(([, , parameters]) => /\b(D1Database|SubscriptionContext)\b/.test(parameters!))
    .map(([, name]) => `${file} ${name}`),
)

/** The calls of `prepare` that were reached, by file. */
const reached = new Map<string, Set<string>>()

describe('the statements of the database', () => {
  it.each(Object.entries(CALLS))('%s names what the schema has', async (_, call) => {
    const { db, statements } = recordStatements()

    await call({ ...fixture, db, context: { ...fixture.context, db } })

    expect(statements).not.toEqual([])
    for (const statement of statements) await compile(statement)
    for (const { file, site } of statements)
      reached.set(file, (reached.get(file) ?? new Set()).add(site))
  })

  it('are called by every function that takes a database', () => {
    expect(takers.length).toBeGreaterThan(70)
    expect(takers.filter((name) => !(name in CALLS) && !WRAPPERS.includes(name))).toEqual([])
  })

  // Last: it counts what the calls before it reached.
  it('are all reached', () => {
    const written = sources.flatMap(({ file, text }) => {
      const sites = text.match(/\.prepare\(/g)?.length ?? 0
      return sites > 0 ? [{ file, sites }] : []
    })

    expect(written.map(({ file }) => ({ file, sites: reached.get(file)?.size ?? 0 }))).toEqual(
      written,
    )
  })
})
