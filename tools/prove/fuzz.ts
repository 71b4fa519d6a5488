/**
 * `npm run fuzz -- [--requests N] [--seed N]`: starts the service and sends it requests of a grammar
 * over every public input. Exits with 1 when an answer breaks the contract.
 */
import { Command } from '@commander-js/extra-typings'
import { checkLog, checkReads } from './fuzz/after.ts'
import { Findings } from './harness/findings.ts'
import { ROUTES } from './fuzz/grammar/routes.ts'
import { runCommand, seed, whole } from '../support/arguments.ts'
import { runRequests } from './fuzz/run.ts'
import { startTarget } from './fuzz/service.ts'
import { Fixtures } from './fuzz/fixtures/fixtures.ts'

/** Enough accounts to spend few quotas. */
const SIZE = { keyed: 120, sessions: 40 }
const EVERY_SECONDS = 20
const SHOWN = 40
/** At once. */
const CONNECTIONS = 6

const most = 10_000_000
const command = new Command('npm run fuzz --')
  .addOption(whole('--requests <N>', 'how many the grammar makes', 1, most).default(100_000))
  .addOption(whole('--from <N>', 'the first one, to come to a late one soon', 1, most).default(1))
  .addOption(seed('--seed <N>', 'makes the same requests again'))

command.action(async ({ requests, from, seed }) => {
  await using service = await startTarget(EVERY_SECONDS)
  const fixtures = await Fixtures.open(service, SIZE)
  progress(`the service answers at ${service.url}, the seed is ${seed}`)

  const { tally, findings } = await runRequests({
    url: service.url,
    fixtures,
    requests,
    from,
    seed,
    concurrency: CONNECTIONS,
    progress,
  })
  console.table(tally.table(ROUTES.map(({ label }) => label)))
  const after = new Findings()
  await checkReads(service.url, after)
  checkLog(service.errors() + service.lines.join('\n'), fixtures.secrets(), after)
  report([...findings.list(), ...after.list()])
  console.log(`seed ${seed}`)
})
await runCommand(command)

function progress(line: string): void {
  console.error(`${new Date().toISOString()} ${line}`)
}

function report(findings: ReturnType<Findings['list']>): void {
  for (const { what, times, examples } of findings.slice(0, SHOWN))
    console.log(`\n${what} (${times} times)\n${examples[0]}`)
  console.log(`\n${findings.length} kinds of findings`)
  if (findings.length > 0) process.exitCode = 1
}
