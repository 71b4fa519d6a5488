import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateMigration } from '../../../tools/maintain/generate-migration.ts'
import { openScratch } from '../../../tools/support/scratch.ts'

const read = (folder: string, file: string) => readFileSync(`${folder}/${file}`, 'utf8')
const tablesIn = (folder: string) =>
  (JSON.parse(read(folder, 'meta/0000_snapshot.json')) as { tables: object }).tables

it('the first migration is what the schema and its triggers make', () => {
  using scratch = openScratch()
  const made = scratch.file('migrations')
  generateMigration(made, 'schema')

  expect(readdirSync('migrations')).toEqual(readdirSync(made))
  expect(read('migrations', '0000_schema.sql')).toBe(read(made, '0000_schema.sql'))
  expect(tablesIn('migrations')).toEqual(tablesIn(made))
})
