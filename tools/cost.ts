/** `npm run cost`: what a month costs on Cloudflare, by measured rows and the price list. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, runCommand } from './harness/arguments.ts'
import { withTables } from './harness/page.ts'
import { COST_PAGE, COST_TABLES, freePlanTable, monthsTable, usageTable } from './cost/tables.ts'

const USAGE = `npm run cost -- [--write]

  --write   puts the tables into docs/cost.md`

await runCommand(USAGE, (args) => {
  const { values } = readArguments(args, { write: { type: 'boolean' } })
  if (values.write)
    writeFileSync(COST_PAGE, withTables(readFileSync(COST_PAGE, 'utf8'), COST_TABLES))
  else console.log([monthsTable(), usageTable(), freePlanTable()].join('\n\n'))
})
