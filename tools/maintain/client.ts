/** `npm run client`: builds the packages of the clients and checks them as users install them. */
import { resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { buildClient, buildPythonClient } from './client/build.ts'
import { clientProblems, packClient } from './client/check.ts'
import { writeClientTypes } from './client/types.ts'
import { runCommand } from '../support/arguments.ts'
import { openScratch } from '../support/scratch.ts'

const command = new Command('npm run client --')
command
  .command('build')
  .description('builds the JavaScript package in a folder, ready for npm publish')
  .option('--out <DIR>', 'the folder', 'dist/client')
  .action(async ({ out }) => {
    await buildClient(resolve(out))
    console.log(`package in ${resolve(out)}`)
  })
command
  .command('python')
  .description('builds the Python package in a folder, ready for pip install')
  .option('--out <DIR>', 'the folder', 'dist/python')
  .action(({ out }) => {
    buildPythonClient(resolve(out))
    console.log(`package in ${resolve(out)}`)
  })
command
  .command('check')
  .description('checks the JavaScript package with publint, arethetypeswrong and a size limit')
  .action(async () => {
    using scratch = openScratch()
    const staged = scratch.file('package')
    await buildClient(staged)
    const problems = await clientProblems(staged, packClient(staged, scratch.path))
    for (const problem of problems) console.error(problem)
    if (problems.length === 0) console.log('the package is as it should be')
    process.exitCode = problems.length === 0 ? 0 : 1
  })
command
  .command('types')
  .description('writes the types of the clients from the OpenAPI documents')
  .action(() => writeClientTypes())
await runCommand(command)
