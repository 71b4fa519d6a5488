/**
 * `npm run bench -- [--only NAME] [--json] [OPTION…]`: what operations cost, against what they may
 * cost. Exits with 1 when a budget is broken or a bench could not be run.
 */
import { parseArgs } from 'node:util'
import type { Bench } from './bench/bench.ts'
import { isKept } from './bench/bench.ts'
import { benches } from './bench/benches.ts'
import { thisMachine } from './harness/machine.ts'
import { type BenchResult, isGood, printResults } from './bench/result.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    points: { type: 'string' },
    state: { type: 'string' },
  },
})
const chosen = benches.filter(({ name }) => !values.only || values.only === name)
if (chosen.length === 0 || positionals.length > 0) {
  console.error(`usage: npm run bench -- [--only ${benches.map(({ name }) => name).join('|')}]`)
  process.exit(1)
}

const machine = thisMachine()
const results: BenchResult[] = []
for (const bench of chosen) results.push(await runBench(bench))

if (values.json) console.log(JSON.stringify({ machine, benches: results }, null, 2))
else console.log(printResults(results, machine))
if (!isGood(results)) process.exitCode = 1

function progress(line: string): void {
  console.error(`  ${line}`)
}

/** One that fails is told and does not keep the others from being measured. */
async function runBench(bench: Bench): Promise<BenchResult> {
  const { name, summary, method } = bench
  console.error(`${name}: ${summary}`)
  const startedAt = performance.now()
  const result = { name, method, failure: null }
  const seconds = () => Math.round(performance.now() - startedAt) / 1000
  try {
    const figures = await bench.run({ ...values, progress })
    return {
      ...result,
      seconds: seconds(),
      figures: figures.map((figure) => ({ ...figure, kept: isKept(figure) })),
    }
  } catch (error) {
    console.error(error)
    const failure = (error as Error).message.split('\n')[0]!
    return { ...result, seconds: seconds(), figures: [], failure }
  }
}
