/**
 * Makes the migration for a change of `shared/db/schema`: `npm run db:generate -- NAME`. Without a
 * name it makes the first migration anew, which only does until a release is deployed somewhere.
 *
 * drizzle-kit cannot write STRICT or WITHOUT ROWID, so this adds them: every table is STRICT, and
 * tables whose key is more than one column, with nothing else pointing at rows, are WITHOUT ROWID.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const FOLDER = 'migrations'
const BREAK = '--> statement-breakpoint'

const name = process.argv[2]
if (name === undefined) rmSync(FOLDER, { recursive: true, force: true })

const before = new Set(name === undefined ? [] : migrationFiles())
execFileSync('drizzle-kit', ['generate', '--name', name ?? 'schema'], { stdio: 'inherit' })

for (const file of migrationFiles().filter((file) => !before.has(file))) {
  const made = makeStrict(readFileSync(`${FOLDER}/${file}`, 'utf8'))
  const more = name === undefined ? readFileSync('shared/db/schema/triggers.sql', 'utf8') : ''
  writeFileSync(`${FOLDER}/${file}`, [made, more].filter(Boolean).join(`\n${BREAK}\n`))
}

function migrationFiles(): string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
}

function makeStrict(migration: string): string {
  return migration
    .split(BREAK)
    .map((statement) => {
      if (!statement.trimStart().startsWith('CREATE TABLE')) return statement
      const options = statement.includes('PRIMARY KEY(') ? 'STRICT, WITHOUT ROWID' : 'STRICT'
      return statement.replace(/\);(\s*)$/, `) ${options};$1`)
    })
    .join(BREAK)
}
