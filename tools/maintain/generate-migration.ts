/**
 * `npm run db:generate -- NAME`: makes the migration for a change of `shared/db/schema`. Without a
 * name it replaces the first migration, which is allowed only until a release is deployed.
 */
import { Command } from '@commander-js/extra-typings'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { runCommand } from '../support/arguments.ts'

const SCHEMA = './shared/db/schema.ts'
const BREAK = '--> statement-breakpoint'

/** The end of the first migration, written by hand: what drizzle's schema cannot express. */
export function handWritten(): string {
  const migration = readFileSync('migrations/0000_schema.sql', 'utf8')
  return migration.slice(migration.indexOf('-- Written by hand.'))
}

/**
 * Makes the migration from the folder's snapshots to the schema, and appends `end`. Adds STRICT to
 * every table and WITHOUT ROWID to tables with a key of several columns, because drizzle-kit cannot
 * write either. Throws when drizzle-kit fails.
 */
export function generateMigration(folder: string, name: string, end = ''): void {
  const before = new Set(migrationsIn(folder))
  const options = {
    dialect: 'sqlite',
    schema: SCHEMA,
    // drizzle-kit prefixes the path with `./`.
    out: relative('.', folder),
    casing: 'snake_case',
    name,
  }
  const flags = Object.entries(options).flatMap(([flag, value]) => [`--${flag}`, value])
  execFileSync('drizzle-kit', ['generate', ...flags], { stdio: 'pipe' })

  for (const file of migrationsIn(folder).filter((file) => !before.has(file))) {
    const made = makeStrict(readFileSync(`${folder}/${file}`, 'utf8'))
    writeFileSync(`${folder}/${file}`, [made, end].filter(Boolean).join(`\n${BREAK}\n`))
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
  .description(
    'makes the migration for a change of the schema; without NAME it replaces the first migration',
  )
  .argument('[NAME]')
  .action((name) => {
    const end = name === undefined ? handWritten() : ''
    if (name === undefined) rmSync('migrations', { recursive: true })
    generateMigration('migrations', name ?? 'schema', end)
  })
if (import.meta.main) await runCommand(command)
