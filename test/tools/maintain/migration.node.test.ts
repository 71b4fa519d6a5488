import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateMigration, handWritten } from '../../../tools/maintain/generate-migration.ts'
import { openScratch } from '../../../tools/support/scratch.ts'

const read = (folder: string, file: string) => readFileSync(`${folder}/${file}`, 'utf8')
const tablesIn = (folder: string) =>
  (JSON.parse(read(folder, 'meta/0000_snapshot.json')) as { tables: object }).tables

it('the first migration is what the schema makes, and what is written by hand', () => {
  using scratch = openScratch()
  const made = scratch.file('migrations')
  generateMigration(made, 'schema', handWritten())

  expect(readdirSync('migrations')).toEqual(readdirSync(made))
  expect(read('migrations', '0000_schema.sql')).toBe(read(made, '0000_schema.sql'))
  expect(tablesIn('migrations')).toEqual(tablesIn(made))
})
