/**
 * Feeds recorded series through the guard and tells what it would have published:
 * `npm run replay -- --a FILE [--b FILE] [--incidents FILE] [--json FILE]`.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatUtc } from '../shared/argentine-time.ts'
import { findPairByKey, type PairKey } from '../shared/market/catalog.ts'
import { priceToNumber } from '../shared/market/price.ts'
import { type Incident, publishedIncidents, readIncidents } from './replay/incidents.ts'
import { details, table } from './replay/print.ts'
import { replay, type Replayed } from './replay/replay.ts'
import { runInjection } from './replay/inject/command.ts'
import { filesOf } from './replay/roles.ts'

const USAGE = `usage: npm run replay -- --a FILE [--b FILE] [--source NAME=FILE]... [--incidents FILE] [--json FILE]
       npm run replay -- ... --inject SEED[,SEED]... [--check]

  --a FILE          first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta)
                    or JSON lines ({"committed_at","body":[...]})
  --b FILE          stands for the pair's next source of another provenance
  --source NAME=FILE
                    stands for the source, document or provenance NAME of the service (ambito,
                    dolarhoy, dolarapi-dolares); a NAME that it does not know is independent
  --in-need         asks all but the first source only when the guard wants more
  --incidents FILE  known faults (incidents.csv): says which of them were published
  --json FILE       one line for each published change and each hold; with --inject, each trial
  --pair P[,P]...   only these pairs

  --inject SEEDS    puts seeded faults into one source, seeded moves into all, and counts
  --fault NAME      the source to put faults into: first (default), second, or its name
  --mode MODE       two (all sources), alone (the faulted one), or both (default)
  --kind K[,K]...   only these kinds of fault, or "moves"
  --trials N        faults of each kind for each pair and seed (12); half as many of each move
  --examples N      shows this many of the faults that were published
  --check           compares with the targets and fails when one is missed`

const { values } = parseArgs({
  options: {
    a: { type: 'string' },
    b: { type: 'string' },
    source: { type: 'string', multiple: true, default: [] },
    'in-need': { type: 'boolean', default: false },
    incidents: { type: 'string' },
    json: { type: 'string' },
    pair: { type: 'string' },
    inject: { type: 'string' },
    fault: { type: 'string', default: 'first' },
    mode: { type: 'string', default: 'both' },
    kind: { type: 'string' },
    trials: { type: 'string', default: '12' },
    examples: { type: 'string', default: '0' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const files = filesOf(values)
if (values.help || files.length === 0) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 1)
}
const { inject } = values
if (inject !== undefined) process.exit(runInjection(files, { ...values, inject }))

const incidents: Incident[] = values.incidents ? readIncidents(values.incidents) : []
const replayed = replay(files, { inNeed: values['in-need'], pairs: values.pair?.split(',') })
if (values.json !== undefined) writeFileSync(values.json, replayed.map(linesOf).join(''))

console.log(table(replayed))
for (const line of details(replayed)) console.log(line)
for (const { name, skipped } of files.map(({ series }) => series)) {
  if (skipped > 0)
    console.log(`${name}: ${skipped} rows without a pair of the catalogue (solidario) or a number`)
}
if (values.incidents) {
  const published = replayed.flatMap(({ pair, simulation }) =>
    publishedIncidents(incidents, pair as PairKey, simulation.publications),
  )
  console.log(`known faults: ${incidents.length} sides, published: ${published.length}`)
  for (const { pair, at, value } of published) {
    console.log(`  ${pair} ${formatUtc(at)} ${priceToNumber(value)}`)
  }
}

function linesOf({ pair, simulation }: Replayed): string {
  if (!findPairByKey(pair)) return ''
  const changes = simulation.publications.map(({ at, buy, sell, source }) => ({
    at,
    line: { at: formatUtc(at), pair, ...prices({ buy, sell }), source },
  }))
  const holds = simulation.holds.map(({ at, buy, sell, source, reason, releasedAt }) => ({
    at,
    line: {
      at: formatUtc(at),
      pair,
      held: prices({ buy, sell }),
      source,
      reason,
      releasedAt: releasedAt === null ? null : formatUtc(releasedAt),
    },
  }))

  return [...changes, ...holds]
    .toSorted((one, other) => one.at - other.at)
    .map(({ line }) => `${JSON.stringify(line)}\n`)
    .join('')
}

function prices({ buy, sell }: { buy: number; sell: number }) {
  return { buy: priceToNumber(buy), sell: priceToNumber(sell) }
}
