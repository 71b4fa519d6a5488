/**
 * `npm run load -- [--only NAME] [--seconds N] [--json]`: the real local service under load, each
 * kind on a fresh one. Exits with 1 when an answer was wrong or the runtime's memory grew.
 */
import { parseArgs } from 'node:util'
import { describeMachine, thisMachine } from './harness/machine.ts'
import type { Load } from './load/load.ts'
import { loads } from './load/loads.ts'
import { isGood, type NamedResult, printReport } from './load/report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const chosen = loads.filter(({ name }) => !values.only || values.only === name)
if (chosen.length === 0 || positionals.length > 0 || !(seconds >= 1)) {
  const names = loads.map(({ name }) => name).join('|')
  console.error(`usage: npm run load -- [--only ${names}] [--seconds 60] [--json]`)
  process.exit(1)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const machine = thisMachine()
const results: NamedResult[] = []
for (const load of chosen) results.push(await runLoad(load))

if (values.json) console.log(JSON.stringify({ machine, seconds, loads: results }, null, 2))
else console.log(`${printReport(results)}\n\n${describeMachine(machine)}`)
if (!results.every(isGood)) process.exitCode = 1

/** One that fails is told and does not keep the others from being run. */
async function runLoad({ name, summary, run }: Load): Promise<NamedResult> {
  console.error(`${name}: ${summary}`)
  try {
    return { name, summary, result: await run({ seconds, progress }), failure: null }
  } catch (error) {
    console.error(error)
    return { name, summary, result: null, failure: (error as Error).message }
  }
}

function progress(line: string): void {
  console.error(`  ${line}`)
}
