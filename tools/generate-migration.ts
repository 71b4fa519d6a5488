/**
 * Makes the migration for a change of `shared/db/schema.ts`: `npm run db:generate -- NAME`.
 *
 * drizzle-kit cannot write STRICT or WITHOUT ROWID, so this adds them: every table is STRICT, and
 * tables whose key is more than one column, with nothing else pointing at rows, are WITHOUT ROWID.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const name = process.argv[2]
if (!name) throw new Error('usage: npm run db:generate -- NAME')

const before = new Set(migrationFiles())
execFileSync('drizzle-kit', ['generate', '--name', name], { stdio: 'inherit' })

for (const file of migrationFiles().filter((file) => !before.has(file))) {
  writeFileSync(`migrations/${file}`, makeStrict(readFileSync(`migrations/${file}`, 'utf8')))
}

function migrationFiles(): string[] {
  return readdirSync('migrations').filter((file) => file.endsWith('.sql'))
}

function makeStrict(migration: string): string {
  return migration
    .split('--> statement-breakpoint')
    .map((statement) => {
      if (!statement.trimStart().startsWith('CREATE TABLE')) return statement
      const options = statement.includes('PRIMARY KEY(') ? 'STRICT, WITHOUT ROWID' : 'STRICT'
      return statement.replace(/\);(\s*)$/, `) ${options};$1`)
    })
    .join('--> statement-breakpoint')
}
