import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { CommandError } from '../../support/arguments.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')

/**
 * Applies the migrations that a database lacks, each in one transaction with its own record in
 * wrangler's table, so that `wrangler d1 migrations apply` sees them. Returns their names. Throws
 * the errors of `appliedMigrations` before it changes anything.
 */
export async function migrate(
  db: D1Database,
  warn: (line: string) => void = () => {},
): Promise<string[]> {
  const applied = await appliedMigrations(db, warn)
  await db
    .prepare(
      `create table if not exists d1_migrations(
         id integer primary key AUTOINCREMENT,
         name text unique,
         applied_at TIMESTAMP default CURRENT_TIMESTAMP not null
       )`,
    )
    .run()

  const missing = migrationFiles().filter((file) => !applied.includes(file))
  for (const file of missing) {
    await namedBatch(db, {
      applied: migrationStatements(file).map((sql) => db.prepare(sql)),
      recorded: db.prepare('insert into d1_migrations (name) values (?)').bind(file),
    })
  }
  return missing
}

/**
 * The names of the applied migrations. Accepts a database of a later version with a warning,
 * because migrations only add. Throws a `CommandError` for the database of any other version.
 */
export async function appliedMigrations(
  db: D1Database,
  warn: (line: string) => void,
): Promise<string[]> {
  const table = await db
    .prepare(`select 1 as found from sqlite_master where name = 'd1_migrations'`)
    .first()
  if (table === null) return []

  const { results } = await db.prepare('select name from d1_migrations').all<{ name: string }>()
  const names = results.map(({ name }) => name)
  const ours = migrationFiles()
  const unknown = names.filter((name) => !ours.includes(name))
  const areLater =
    ours.every((file) => names.includes(file)) && unknown.every((name) => name > ours.at(-1)!)
  const other =
    names.length === 1 && ours.includes(names[0]!) && !(await hasMade(db, names[0]!))
      ? `another ${names[0]}`
      : areLater
        ? undefined
        : unknown[0]
  if (other !== undefined)
    throw new CommandError(
      `the database is of another version of the service, which applied ${other}: nothing was changed, choose an empty one`,
    )
  if (unknown.length > 0)
    warn(
      `the database is of a later version, which applied ${unknown.join(', ')}: this version can use it`,
    )
  return names
}

/**
 * Whether the database has everything that a migration creates, word for word. Until the first
 * release is deployed, each change of the schema rewrites the only migration under the same name.
 */
async function hasMade(db: D1Database, file: string): Promise<boolean> {
  const { results } = await db
    .prepare('select sql from sqlite_master')
    .all<{ sql: string | null }>()
  const made = new Set(results.map(({ sql }) => sql))
  return migrationStatements(file)
    .map((sql) =>
      sql
        .replaceAll(/^--.*$/gm, '')
        .trim()
        .replace(/;$/, ''),
    )
    .filter((sql) => sql.startsWith('CREATE '))
    .every((sql) => made.has(sql))
}

function migrationFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
}

/** The statements of a migration, split at drizzle's separator. Wrangler finds the same ones. */
function migrationStatements(file: string): string[] {
  return readFileSync(join(FOLDER, file), 'utf8').split('--> statement-breakpoint')
}
