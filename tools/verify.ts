/**
 * `npm run verify -- URL [--key KEY] [--wait SECONDS]`: asks a running service, deployed or local,
 * everything that can be asked from outside without harm. One line a check; ends with 1 when one
 * fails, with 2 for a bad option. docs/deploy.md tells what is asked.
 */
import { readOptions, USAGE } from './verify/options.ts'
import { reportOn } from './verify/report.ts'

const options = readOptions(process.argv.slice(2))
if (options === 'help') console.log(USAGE)
else if (typeof options === 'string') {
  console.error(`error: ${options}`)
  process.exitCode = 2
} else {
  const holds = await reportOn(options, (line) => console.log(line))
  process.exitCode = holds ? 0 : 1
}
