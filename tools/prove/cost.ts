/** `npm run cost`: what a month costs on Cloudflare, by measured rows and the price list. */
import { Command } from '@commander-js/extra-typings'
import { readFileSync, writeFileSync } from 'node:fs'
import { runCommand } from '../support/arguments.ts'
import { withTables } from './harness/page.ts'
import { COST_PAGE, COST_TABLES, freePlanTable, monthsTable } from './cost/tables.ts'

const command = new Command('npm run cost --')
  .option('--write', 'puts the tables into docs/cost.md')
  .action(({ write }) => {
    if (write) writeFileSync(COST_PAGE, withTables(readFileSync(COST_PAGE, 'utf8'), COST_TABLES))
    else console.log([monthsTable(), freePlanTable()].join('\n\n'))
  })
await runCommand(command)
