/**
 * Makes the migration for a change of `shared/db/schema`: `npm run db:generate -- NAME`. Without a
 * name it makes the first migration anew, which only does until a release is deployed somewhere.
 */
import { Command } from '@commander-js/extra-typings'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { runCommand } from '../support/arguments.ts'

const SCHEMA = './shared/db/schema.ts'
const TRIGGERS = './shared/db/schema/triggers.sql'
const BREAK = '--> statement-breakpoint'

/**
 * Makes the migration of what the schema has and the folder's snapshots have not; the first one has the
 * triggers too. drizzle-kit cannot write STRICT or WITHOUT ROWID, so this adds them: every table is
 * STRICT, and tables whose key is more than one column, with nothing else pointing at rows, are WITHOUT
 * ROWID. Throws where drizzle-kit fails.
 */
export function generateMigration(folder: string, name: string): void {
  const before = new Set(migrationsIn(folder))
  const options = {
    dialect: 'sqlite',
    schema: SCHEMA,
    // drizzle-kit puts `./` before it.
    out: relative('.', folder),
    casing: 'snake_case',
    name,
  }
  const flags = Object.entries(options).flatMap(([flag, value]) => [`--${flag}`, value])
  execFileSync('drizzle-kit', ['generate', ...flags], { stdio: 'pipe' })

  for (const file of migrationsIn(folder).filter((file) => !before.has(file))) {
    const made = makeStrict(readFileSync(`${folder}/${file}`, 'utf8'))
    const triggers = before.size === 0 ? readFileSync(TRIGGERS, 'utf8') : ''
    writeFileSync(`${folder}/${file}`, [made, triggers].filter(Boolean).join(`\n${BREAK}\n`))
  }
}

function migrationsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sql')) : []
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

const command = new Command('npm run db:generate --')
  .description('makes the migration for a change of the schema; without NAME the first one, anew')
  .argument('[NAME]')
  .action((name) => {
    if (name === undefined) rmSync('migrations', { recursive: true, force: true })
    generateMigration('migrations', name ?? 'schema')
  })
if (import.meta.main) await runCommand(command)
