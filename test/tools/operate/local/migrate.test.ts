import { reset } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { statementsOf } from '../../../../tools/operate/local/migrate.ts'
import { env } from '../../../support/env.ts'
import { migrate } from '../../../support/open-database.ts'

const files: Record<string, string> = import.meta.glob('../../../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Wrangler leaves the marks in, and the semicolons out. */
const bare = (statement: string) =>
  statement.replace('--> statement-breakpoint', '').trim().replace(/;$/, '')

it('finds the statements of every migration that wrangler finds', () => {
  const paths = Object.keys(files).toSorted()
  expect(paths).toHaveLength(env.TEST_MIGRATIONS.length)
  for (const [index, { queries }] of env.TEST_MIGRATIONS.entries()) {
    const path = paths[index]!
    expect(statementsOf(files[path]!).map(bare), path).toEqual(queries.map(bare))
  }
})

/** Everything in the database: what its schema says, and the rows of each table. */
async function contentOf(db: D1Database) {
  const own = `name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'`
  const { results: schema } = await db
    .prepare(`select type, name, sql from sqlite_master where ${own} order by type, name`)
    .all<{ type: string; name: string; sql: string }>()
  // Its row is the second in which the migrations ran.
  const tables = schema.filter(({ type, name }) => type === 'table' && name !== 'history_revision')
  const rows = await db.batch(tables.map(({ name }) => db.prepare(`select * from "${name}"`)))
  return { schema, rows: rows.map(({ results }, index) => [tables[index]!.name, results]) }
}

// The first database of a run is migrated, all others are copies of it.
it.each(['one', 'another'])('%s test begins with what the migrations make', async () => {
  const { schema, rows } = await contentOf(env.DB)
  expect(schema.length).toBeGreaterThan(env.TEST_MIGRATIONS.length)
  await env.DB.prepare('create table what_a_test_leaves (id integer)').run()

  await reset()
  await migrate()
  expect({ schema, rows }).toEqual(await contentOf(env.DB))
})
