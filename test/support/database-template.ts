/**
 * Gives each test a migrated database as a copy of a file: running the migrations takes ten times
 * as long. It runs in Node, beside the Workers, which reach it by the binding `DATABASE_TEMPLATE`.
 */
import { copyFileSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The D1 files in Miniflare's storage. */
const DATABASES = 'miniflare-*/d1/miniflare-D1DatabaseObject/????????????????*.sqlite'

interface Copy {
  /** The path of the runtime's database. */
  place: string
  template: string
}

/**
 * Answers two requests. `/keep/TABLE` makes the database with a table of this unique name the
 * template, without that table. `/restore/TABLE` copies the template back: the runtime must have
 * closed the database, or the answer is 409.
 */
export function createDatabaseTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'cotizaciones-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const copies = new Map<string, Copy>()

  return ({ url }: { url: string }): Response => {
    const [, verb, table] = new URL(url).pathname.split('/') as [string, string, string]
    if (verb === 'keep') {
      const place = findDatabase(table)
      const template = join(folder, `${table}.sqlite`)
      using database = new DatabaseSync(place, { readOnly: true })
      database.prepare('vacuum into ?').run(template)
      using copy = new DatabaseSync(template)
      copy.exec(`drop table ${table}`)
      copies.set(table, { place, template })
    } else {
      const { place, template } = copies.get(table)!
      // An open database has such a file.
      if (existsSync(`${place}-wal`)) return new Response(null, { status: 409 })
      copyFileSync(template, place)
    }
    return new Response()
  }
}

function findDatabase(table: string): string {
  const found = globSync(join(tmpdir(), DATABASES)).find((path) => {
    using database = new DatabaseSync(path, { readOnly: true })
    return database.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined
  })
  if (found === undefined) throw new Error(`no database has the table ${table}`)
  return found
}
