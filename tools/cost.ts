/** `npm run cost`: what a month costs on Cloudflare, by measured rows and the price list. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments, runCommand } from './harness/arguments.ts'
import { COST_PAGE, freePlanTable, monthsTable, usageTable, withTables } from './cost/tables.ts'

const USAGE = `npm run cost -- [--write]

  --write   puts the tables into docs/cost.md`

await runCommand(USAGE, (args) => {
  const { values } = readArguments(args, { write: { type: 'boolean' } })
  if (values.write) writeFileSync(COST_PAGE, withTables(readFileSync(COST_PAGE, 'utf8')))
  else console.log([monthsTable(), usageTable(), freePlanTable()].join('\n\n'))
})
