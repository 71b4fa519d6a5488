/** `npm run docs`: whether the documents say what is so. */
import { docProblems } from './docs/check.ts'
import { readArguments, runCommand, UsageError } from './harness/arguments.ts'

const USAGE = `npm run docs -- check

  Follows every link and heading, looks for every command and option, and parses every block of
  code. A block that needs an account, the network or Docker says so behind its language. Ends with
  1 when something is wrong.`

await runCommand(USAGE, (args) => {
  const { positionals } = readArguments(args, {}, { allowPositionals: true })
  if (positionals.join(' ') !== 'check') throw new UsageError('which command?')

  const problems = docProblems()
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'the documents hold' : `${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
})
