import { reset } from 'cloudflare:test'
import { env } from './env.ts'

/** The name of this runtime's template, once there is one. */
let template: string | undefined

/** The data that `seedOnce` has seeded, by name. */
const seeded = new Map<string, { table: string; board: Entries; value: unknown }>()

type Entries = Awaited<ReturnType<typeof boardEntries>>

/** The most tries of copying for one test. */
const TRIES = 5

/** Gives the test an empty, migrated database. */
export async function openDatabase(): Promise<void> {
  if (template && (await copyTemplate(template))) return

  await migrate()
  if (env.DATABASE_TEMPLATE) template ??= await keepTemplate()
}

/**
 * Seeds the database and the KV of a test. The first test with this name runs `seed`; the others
 * get copies of both as `seed` left them, and its return value.
 */
export async function seedOnce<T>(name: string, seed: () => Promise<T>): Promise<T> {
  const known = seeded.get(name)
  if (known) {
    await reset()
    if (await copyTemplate(known.table)) {
      await Promise.all(
        known.board.map(({ name, value, metadata }) => env.BOARD.put(name, value!, { metadata })),
      )
      return known.value as T
    }
    await openDatabase()
  }
  const value = await seed()
  if (env.DATABASE_TEMPLATE)
    seeded.set(name, { table: await keepTemplate(), board: await boardEntries(), value })
  return value
}

async function boardEntries() {
  const { keys } = await env.BOARD.list()
  return Promise.all(
    keys.map(async ({ name }) => ({
      name,
      ...(await env.BOARD.getWithMetadata(name, 'arrayBuffer')),
    })),
  )
}

/**
 * Background work of the previous test may open the database between its reset and the copy. The
 * runtime then does not see the copy, so the database is reset again. False when that repeats.
 */
async function copyTemplate(table: string): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const response = await askForTemplate('restore', table)
    if (response.ok && (await isMigrated())) return true
    await reset()
  }
  return false
}

async function isMigrated(): Promise<boolean> {
  return env.DB.prepare('select 1 from open_deliveries')
    .run()
    .then(
      () => true,
      () => false,
    )
}

/** Runs all migrations in one round trip. */
export async function migrate(): Promise<void> {
  const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
}

/** A table with a unique name tells Node which database is this one. */
async function keepTemplate(): Promise<string> {
  const table = `template_${crypto.randomUUID().replaceAll('-', '')}`
  await env.DB.prepare(`create table ${table} (id integer)`).run()
  const response = await askForTemplate('keep', table)
  if (!response.ok) throw new Error(await response.text())
  await env.DB.prepare(`drop table ${table}`).run()
  return table
}

function askForTemplate(verb: 'keep' | 'restore', table: string): Promise<Response> {
  return env.DATABASE_TEMPLATE!.fetch(`http://template/${verb}/${table}`)
}
