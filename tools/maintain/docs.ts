/** `npm run docs`: whether the documents say what is so. */
import { Command } from '@commander-js/extra-typings'
import { docProblems } from './docs/check.ts'
import { runCommand } from '../support/arguments.ts'

const command = new Command('npm run docs --')
command
  .command('check')
  .description(
    'Follows every link and heading, looks for every path, command and option, and parses every ' +
      'block of code. A block that needs an account, the network or Docker says so behind its language. Ends ' +
      'with 1 when something is wrong.',
  )
  .action(() => {
    const problems = docProblems()
    for (const problem of problems) console.error(problem)
    console.log(problems.length === 0 ? 'the documents hold' : `${problems.length} problems`)
    if (problems.length > 0) process.exitCode = 1
  })
await runCommand(command)
