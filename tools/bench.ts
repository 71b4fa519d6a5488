/**
 * `npm run bench -- [--only NAME] [--json] [OPTION…]`: what operations cost, against what they may
 * cost. Exits with 1 when a budget is broken.
 */
import { parseArgs } from 'node:util'
import type { Figure } from './bench/bench.ts'
import { benches } from './bench/benches.ts'

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

const figures: Figure[] = []
for (const bench of chosen) {
  console.error(`${bench.name}: ${bench.summary}`)
  const options = { ...values, progress: (line: string) => console.error(`  ${line}`) }
  figures.push(...(await bench.run(options)))
}

if (values.json) console.log(JSON.stringify(figures, null, 2))
else console.table(figures.map(toRow))
if (figures.some(isBroken)) process.exitCode = 1

function isBroken({ value, atMost, atLeast }: Figure): boolean {
  return value > (atMost ?? Infinity) || value < (atLeast ?? -Infinity)
}

function toRow(figure: Figure) {
  const { name, value, unit, atMost, atLeast } = figure
  const limit = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : ''
  return { figure: name, value: `${value} ${unit}`, limit, kept: isBroken(figure) ? 'NO' : 'yes' }
}
