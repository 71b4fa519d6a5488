/** `npm run bench`: measures what operations cost and compares it with their budgets. */
import { Command } from '@commander-js/extra-typings'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Target, TARGETS } from '../operate/deploy/plan.ts'
import { bundle } from '../operate/deploy/wrangler.ts'
import { runCommand, UsageError } from '../support/arguments.ts'
import { openScratch } from '../support/scratch.ts'
import { cycle } from './bench/cycle.ts'
import { delivery } from './bench/delivery/run.ts'
import { edge } from './bench/edge.ts'
import { type Bench, isGood, printReport, type Result, rounded } from './bench/report.ts'
import { startup } from './bench/startup.ts'

/** Our own size limits, in KiB gzip. The platform accepts 3072. */
const LIMITS = { delivery: 70, site: 450, edge: 200, scraper: 150 }

const bundles: Bench = {
  name: 'bundles',
  method: 'every module of `wrangler deploy --dry-run --minify` together, gzip',
  run: async (progress) =>
    TARGETS.map(({ env }) => {
      progress(env)
      const value = rounded(bundleSize(env))
      return { name: `bundle of ${env}`, value, unit: 'KiB', atMost: LIMITS[env] }
    }),
}

const BENCHES = [edge, bundles, startup, cycle, delivery]
const NAMES = BENCHES.map(({ name }) => name)

const command = new Command('npm run bench --')
  .option('--only <NAMES>', 'one of the following, or several with commas', (text) => {
    const names = text.split(',')
    if (names.every((name) => NAMES.includes(name))) return names
    throw new UsageError(`--only takes ${NAMES.join(', ')}`)
  })
  .addHelpText('after', `\n${BENCHES.map((one) => `  ${one.name}: ${one.method}`).join('\n')}`)

command.action(async ({ only = NAMES }) => {
  const before = loadavg()[0]!
  // The measured code logs with `console.log`; stdout is for the report alone.
  console.log = console.error
  const results: Result[] = []
  for (const bench of BENCHES.filter(({ name }) => only.includes(name)))
    results.push(await resultOf(bench))

  const report = { machine: describeMachine(before), results }
  process.stdout.write(`${printReport(report)}\n`)
  if (!isGood(report)) process.exitCode = 1
})
await runCommand(command)

/** A bench that fails is reported and does not stop the others. */
async function resultOf({ name, method, run }: Bench): Promise<Result> {
  console.error(name)
  try {
    const figures = await run((line) => console.error(`  ${line}`))
    return { name, method, figures, failure: null }
  } catch (error) {
    console.error(error)
    return { name, method, figures: [], failure: (error as Error).message.split('\n')[0]! }
  }
}

/** `load` is the load average before the run. A later value would include the run itself. */
function describeMachine(load: number): string {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
  const cores = cpus().length
  const what = `${cpus()[0]?.model}, ${cores} cores, Node ${process.version}, workerd ${version}`
  const busy = load > cores / 2 ? ': the machine was busy, so times and rates are unreliable' : ''
  return `${new Date().toISOString()}: ${what}, load average ${load.toFixed(1)} before${busy}`
}

/** The size of all uploaded modules, in KiB gzip. */
function bundleSize(env: Target['env']): number {
  using scratch = openScratch()
  bundle(env, scratch.path)
  // Source maps and the bundler's report are not uploaded.
  const modules = readdirSync(scratch.path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(map|md)$/.test(entry.name),
  )
  const contents = modules.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  return gzipSync(Buffer.concat(contents)).length / 1024
}
