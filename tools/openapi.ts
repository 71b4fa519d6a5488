/** `npm run openapi`: whether the API's documents keep what the last release promised. */
import { readArguments, runCommand, UsageError } from './harness/arguments.ts'
import { breaksSinceRelease, keepAsReleased } from './openapi/released.ts'

const USAGE = `npm run openapi -- COMMAND

  check     compares the documents with those of the last release, and ends with 1 at a breaking change
  release   keeps the documents of now as those of the release (openapi/)`

await runCommand(USAGE, (args) => {
  const { positionals } = readArguments(args, {}, { allowPositionals: true })
  if (positionals.length !== 1) throw new UsageError('which command?')

  if (positionals[0] === 'release') {
    for (const file of keepAsReleased()) console.log(`kept ${file}`)
  } else if (positionals[0] === 'check') {
    const breaks = breaksSinceRelease()
    for (const change of breaks) console.error(change)
    console.log(
      breaks.length === 0 ? 'nothing that was released breaks' : `${breaks.length} breaks`,
    )
    if (breaks.length > 0) process.exitCode = 1
  } else throw new UsageError(`no command ${positionals[0]}`)
})
