/**
 * `npm run verify -- URL`: asks a running service, deployed or local, everything that can be asked
 * from outside without harm. docs/deploy.md tells what is asked.
 */
import { runCommand } from './harness/arguments.ts'
import { readOptions, USAGE } from './verify/options.ts'
import { reportOn } from './verify/report.ts'

await runCommand(USAGE, async (args) => {
  const holds = await reportOn(readOptions(args), (line) => console.log(line))
  process.exitCode = holds ? 0 : 1
})
