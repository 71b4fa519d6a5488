/**
 * Makes the migration for a change of `shared/db/schema`: `npm run db:generate -- NAME`. Without a
 * name it makes the first migration anew, which only does until a release is deployed somewhere.
 */
import { rmSync } from 'node:fs'
import { generateMigration } from './migration/generate.ts'

const FOLDER = 'migrations'

const name = process.argv[2]
if (name === undefined) rmSync(FOLDER, { recursive: true, force: true })
generateMigration(FOLDER, name ?? 'schema')
