import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../migrations')

/** What goes once no older Worker runs. Here none does; `npm run deploy` does it last. */
const AFTER = 'after'

const inOrder = (folder: string) => readdirSync(join(FOLDER, folder)).toSorted()

/**
 * Applies the migrations that a database lacks, each in one transaction together with its own
 * record, in wrangler's table: `wrangler d1 migrations apply` sees the same. Returns their names.
 */
export async function migrate(db: D1Database): Promise<string[]> {
  await db
    .prepare(
      `create table if not exists d1_migrations(
         id integer primary key AUTOINCREMENT,
         name text unique,
         applied_at TIMESTAMP default CURRENT_TIMESTAMP not null
       )`,
    )
    .run()
  const { results } = await db.prepare('select name from d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))

  const missing = [...inOrder('.'), ...inOrder(AFTER).map((file) => `${AFTER}/${file}`)].filter(
    (file) => file.endsWith('.sql') && !applied.has(file),
  )
  for (const file of missing) {
    const statements = statementsOf(readFileSync(`${FOLDER}/${file}`, 'utf8'))
    await db.batch([
      ...statements.map((sql) => db.prepare(sql)),
      db.prepare('insert into d1_migrations (name) values (?)').bind(file),
    ])
  }
  return missing
}

/** The statements of a migration, between drizzle's marks. Wrangler would find the same ones. */
export function statementsOf(migration: string): string[] {
  return migration.split('--> statement-breakpoint')
}
