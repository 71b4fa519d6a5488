/** Follows docs/deploy.md on a copy outside Cloudflare and its return, with a local database. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../../../tools/operate/admin/account.ts'
import { createKey } from '../../../../shared/db/accounts.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { randomBytes as random } from '../../../../tools/support/random.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'

const root = temporaryFolder()
const before = join(root, 'before')
const after = join(root, 'after')
beforeAll(() => fill(before))
afterAll(() => rmSync(root, { recursive: true }))

it('an export, imported into a new database, is the same database', async () => {
  const from = configured('from')
  mkdirSync(join(from, '.wrangler/state'), { recursive: true })
  symlinkSync(join(before, 'storage'), join(from, '.wrangler/state/v3'))
  const file = join(root, 'cotizaciones.sql')
  await wrangler(from, 'd1', 'export', 'cotizaciones', '--local', '--output', file)

  const to = configured('to')
  await wrangler(to, 'd1', 'execute', 'cotizaciones', '--local', '--file', file, '--yes')
  mkdirSync(after)
  renameSync(join(to, '.wrangler/state/v3'), join(after, 'storage'))

  const [old, restored] = [contents(before), contents(after)]
  expect(old.get('points')).toHaveLength(2)
  expect(old.get('api_keys')).toHaveLength(1)
  expect(restored).toEqual(old)
})

/** Fills a state, also with text that needs quoting. */
async function fill(stateDir: string): Promise<void> {
  await using storage = await openLocal(stateDir)
  const { db } = storage
  const made = await createAccount(db, { email: "o'higgins@example.com", now: 1, random })
  await createKey(db, { accountId: made!.id, name: "a 'quoted'; name", now: 1, random })
  await db
    .prepare(
      `insert into points (pair, at, buy, sell, source) values (1, 2, 3, 4, 'a'), (1, 3, 4, 5, 'b')`,
    )
    .run()
}

/** The rows of each table of a state's database, the schema and the migrations among them. */
function contents(stateDir: string) {
  using database = new DatabaseSync(databaseFile(stateDir)!, { readOnly: true })
  const rowsOf = (from: string) => database.prepare(`select * from ${from}`).all()
  const schema = rowsOf(
    `(select type, name, sql from sqlite_master
      where name not like '\\_cf%' escape '\\' and name not like 'sqlite_%' order by name)`,
  )
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name))
  return new Map([['schema', schema], ...tables.map((name) => [name, rowsOf(name)] as const)])
}

/** A folder with our wrangler.toml, beside which wrangler keeps its local state. */
function configured(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  cpSync('wrangler.toml', join(folder, 'wrangler.toml'))
  return folder
}

async function wrangler(folder: string, ...args: string[]): Promise<void> {
  const where = ['--env', 'scraper', '--config', join(folder, 'wrangler.toml')]
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' }
  await promisify(execFile)(
    process.execPath,
    ['node_modules/wrangler/bin/wrangler.js', ...args, ...where],
    { env },
  )
}
