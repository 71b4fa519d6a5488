/** `npm run scale`: a hundred times as much, played against the measured costs of each part. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Command, Option } from '@commander-js/extra-typings'
import { runCommand, whole } from '../support/arguments.ts'
import { withTables } from './harness/page.ts'
import { HUNDREDFOLD, SCALE_PAGE, scaleTables } from './scale/tables.ts'

const MOST = 1_000_000_000
const { webhooks, deliveries, reads } = HUNDREDFOLD

const command = new Command('npm run scale --')
  .addOption(whole('--webhooks <N>', 'spread over the pairs', 1, MOST).default(webhooks))
  .addOption(whole('--deliveries <N>', 'of a mean day', 1, MOST).default(deliveries))
  .addOption(whole('--reads <N>', 'public reads a second', 0, MOST).default(reads))
  .addOption(
    new Option(
      '--write',
      'puts the tables into docs/scale.md, which shows the default load',
    ).conflicts(['webhooks', 'deliveries', 'reads']),
  )
  .action(({ write, ...load }) => {
    const tables = scaleTables(load)
    if (write) writeFileSync(SCALE_PAGE, withTables(readFileSync(SCALE_PAGE, 'utf8'), tables))
    else for (const table of Object.values(tables)) console.log(`${table()}\n`)
  })
await runCommand(command)
