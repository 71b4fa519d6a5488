/** `npm run sources`: requests each source's live document once, and prints its readings. */
import { Command } from '@commander-js/extra-typings'
import { readOnce } from '../../workers/scraper/collect/collect.ts'
import { SOURCES } from '../../workers/scraper/sources/index.ts'
import { SourceError, type Source } from '../../workers/scraper/sources/source.ts'
import { upstreamFetch } from '../../workers/standalone/control.ts'
import { runCommand, UsageError } from '../support/arguments.ts'
import { checkLine } from './check-sources.ts'

const command = new Command('npm run sources --')
command
  .command('check')
  .description(
    'requests the live document of every source, or of the named sources; exits with 1 if one fails',
  )
  .argument('[NAME...]')
  .option('--upstream <URL>', 'requests URL/HOST/PATH?QUERY instead of https://HOST/PATH?QUERY')
  .action(async (names, { upstream }) => {
    const sources = chosen(names)
    const asked = upstream === undefined ? fetch : upstreamFetch(fetch, upstream)
    const deps = { fetch: asked, now: Date.now }
    let failed = 0
    for (const source of sources) {
      try {
        console.log(checkLine(source.name, await readOnce(deps, source)))
      } catch (error) {
        failed += 1
        const kind = error instanceof SourceError ? error.failure : 'internal'
        console.log(`FAILED  ${source.name.padEnd(26)}  ${kind}: ${(error as Error).message}`)
      }
    }
    console.log(`${sources.length - failed} of ${sources.length} sources were read`)
    process.exitCode = failed === 0 ? 0 : 1
  })
await runCommand(command)

/** The sources with these names; all sources when none is named. */
function chosen(names: readonly string[]): readonly Source[] {
  if (names.length === 0) return SOURCES
  return names.map((name) => {
    const source = SOURCES.find((source) => source.name === name)
    if (source) return source
    throw new UsageError(
      `no source ${name}; there are ${SOURCES.map(({ name }) => name).join(', ')}`,
    )
  })
}
