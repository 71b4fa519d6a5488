/** `npm run openapi`: whether the API's documents keep what the last release promised. */
import { Command } from '@commander-js/extra-typings'
import { runCommand } from '../support/arguments.ts'
import { breaksSinceRelease, keepAsReleased } from './openapi/released.ts'

const command = new Command('npm run openapi --')
command
  .command('check')
  .description(
    'compares the documents with those of the last release, and ends with 1 at a breaking change',
  )
  .action(() => {
    const breaks = breaksSinceRelease()
    for (const change of breaks) console.error(change)
    console.log(
      breaks.length === 0 ? 'nothing that was released breaks' : `${breaks.length} breaks`,
    )
    if (breaks.length > 0) process.exitCode = 1
  })
command
  .command('release')
  .description('keeps the documents of now as those of the release (openapi/)')
  .action(() => {
    for (const file of keepAsReleased()) console.log(`kept ${file}`)
  })
await runCommand(command)
