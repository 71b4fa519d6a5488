/**
 * `npm run openapi`: stores the current OpenAPI documents as the released documents. Later
 * documents must be compatible with these (test/site/reference/released.node.test.ts).
 */
import { Command } from '@commander-js/extra-typings'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from '../../shared/api/operation.ts'
import { DOCUMENTS } from '../../workers/site/reference/documents.ts'
import { runCommand } from '../support/arguments.ts'

/** A deployment with the default settings. */
const DEFAULTS: Deployment = {
  origin: 'https://cotizaciones.example',
  dateReads: 20,
  unknownKeys: 30,
  dailyBudget: 20_000,
  waits: [30, 300, 1800],
  compatibility: false,
}

/** Each current document, and the file with its last released version. */
export const RELEASED = DOCUMENTS.map(({ path, make }) => ({
  file: join(import.meta.dirname, '../../test/fixtures/released', path.split('/').at(-1)!),
  current: make(DEFAULTS),
}))

const command = new Command('npm run openapi --')
  .description('stores the current OpenAPI documents as the released documents')
  .action(() => {
    for (const { file, current } of RELEASED)
      writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`)
  })
if (import.meta.main) await runCommand(command)
