/** `npm run sources`: asks each source's live document once, and tells how the sources are. */
import { readFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { SOURCES } from '../../workers/scraper/sources/index.ts'
import type { Source } from '../../workers/scraper/sources/source.ts'
import { upstreamFetch } from '../../workers/standalone/local/upstream-fetch.ts'
import { openDemoMarket } from './demo-market/server.ts'
import { CommandError, runCommand, UsageError } from '../support/arguments.ts'
import { checkSources, type SourceCheck } from './sources/check.ts'
import { githubIssues } from './sources/github.ts'
import { planIssues } from './sources/issues.ts'
import { checkLine } from './sources/print.ts'

const command = new Command('npm run sources --')
command
  .command('check')
  .description('asks each live document once, or those of the names; ends with 1 when one failed')
  .argument('[NAME...]')
  .option('--json', 'what was read as JSON, for programs', false)
  .option('--upstream <URL>', 'asks URL/HOST/PATH?QUERY for https://HOST/PATH?QUERY')
  .option(
    '--recorded',
    'the documents are recordings: their own stamps tell nothing of their age',
    false,
  )
  .option('--demo', 'asks the simulated market', false)
  .action((names, options) => check(chosen(names), options))
command
  .command('issues')
  .description(
    'opens and closes an issue for each source on GitHub, by what check --json wrote; needs ' +
      'GITHUB_REPOSITORY and GITHUB_TOKEN',
  )
  .argument('<FILE>')
  .action(writeIssues)
await runCommand(command)

/** The sources of the names; all of them when there are none. */
function chosen(names: readonly string[]): readonly Source[] {
  if (names.length === 0) return SOURCES
  return names.map((name) => {
    const source = SOURCES.find((source) => source.name === name)
    if (!source) throw new UsageError(`no source ${name}; there are ${namesOf(SOURCES)}`)
    return source
  })
}

function namesOf(sources: readonly Source[]): string {
  return sources.map(({ name }) => name).join(', ')
}

interface CheckOptions {
  json: boolean
  upstream?: string
  recorded: boolean
  demo: boolean
}

async function check(sources: readonly Source[], options: CheckOptions): Promise<void> {
  const { json, recorded, demo } = options
  await using market = demo
    ? await openDemoMarket({ seed: 1, stepMs: 5 * MINUTE_MS, now: Date.now })
    : null
  const upstream = market?.url ?? options.upstream
  const network = upstream === undefined ? fetch : upstreamFetch(fetch, upstream)
  const checks = await checkSources(
    { fetch: network, now: Date.now, replayed: recorded },
    sources,
    (check) => json || console.log(checkLine(check)),
  )
  const failed = checks.filter(({ ok }) => !ok)
  if (json) console.log(JSON.stringify(checks, null, 2))
  else console.log(`${checks.length - failed.length} of ${checks.length} sources were read`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

async function writeIssues(file: string): Promise<void> {
  const { GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token, ...env } = process.env
  if (!repository || !token) throw new CommandError('GITHUB_REPOSITORY and GITHUB_TOKEN are needed')

  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com'
  const run = `${server}/${repository}/actions/runs/${env['GITHUB_RUN_ID'] ?? ''}`
  const api = env['GITHUB_API_URL'] ?? 'https://api.github.com'
  const issues = githubIssues({ repository, token, api })
  const checks = JSON.parse(readFileSync(file, 'utf8')) as SourceCheck[]
  for (const step of planIssues(checks, await issues.open(), run)) {
    await issues.take(step)
    console.log(step.do === 'open' ? `opened: ${step.title}` : `${step.do}: #${step.number}`)
  }
}
