/** `npm run scale`: a hundred times as much, played against the measured costs of each part. */
import { readFileSync, writeFileSync } from 'node:fs'
import { runCommand } from '../support/arguments.ts'
import { withTables } from './harness/page.ts'
import { command } from './scale/options.ts'
import { SCALE_PAGE, scaleTables } from './scale/page.ts'

command.action(({ write, databases, ...load }) => {
  const tables = scaleTables(load, databases)
  if (write) return writeFileSync(SCALE_PAGE, withTables(readFileSync(SCALE_PAGE, 'utf8'), tables))

  console.log(`The day\n\n${tables.day()}\n`)
  console.log(`What gives first, as the service is\n\n${tables.limits()}\n`)
  console.log(`The sharded design, by its databases\n\n${tables.design()}\n`)
  console.log(`What gives first with ${databases}\n\n${tables['design-limits']()}\n`)
  console.log(tables.price())
})
await runCommand(command)
