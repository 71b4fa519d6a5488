import { env } from './env.ts'

/** Names the template of this runtime, once there is one. */
let template: string | undefined

/** Gives the test an empty, migrated database. */
export async function openDatabase(): Promise<void> {
  if (template) return askForTemplate('restore', template)

  await migrate()
  if (env.DATABASE_TEMPLATE) template = await keepTemplate()
}

/** All migrations in one round trip. */
export async function migrate(): Promise<void> {
  const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
}

/** A table of a name of its own tells Node which of all databases is this one. */
async function keepTemplate(): Promise<string> {
  const table = `template_${crypto.randomUUID().replaceAll('-', '')}`
  await env.DB.prepare(`create table ${table} (id integer)`).run()
  await askForTemplate('keep', table)
  await env.DB.prepare(`drop table ${table}`).run()
  return table
}

async function askForTemplate(verb: 'keep' | 'restore', table: string): Promise<void> {
  const response = await env.DATABASE_TEMPLATE!.fetch(`http://template/${verb}/${table}`)
  if (!response.ok) throw new Error(await response.text())
}
