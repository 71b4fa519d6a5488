/**
 * `npm run cost [-- --write]`: what a month costs on Cloudflare, computed from the measured rows
 * and the price list in tools/cost. `--write` puts the tables into docs/cost.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments } from './harness/arguments.ts'
import { COST_PAGE, withTables } from './cost/page.ts'
import { freePlanTable, monthsTable, usageTable } from './cost/tables.ts'

const { values: options } = readArguments(process.argv.slice(2), { write: { type: 'boolean' } })

if (options.write) writeFileSync(COST_PAGE, withTables(readFileSync(COST_PAGE, 'utf8')))
else console.log([monthsTable(), usageTable(), freePlanTable()].join('\n\n'))
