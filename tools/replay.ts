/**
 * Feeds recorded series through the guard and tells what it would have published:
 * `npm run replay -- --a FILE [--b FILE] [--incidents FILE] [--json FILE]`.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatUtc } from '../shared/argentine-time.ts'
import { findPairByKey, type PairKey } from '../shared/market/catalog.ts'
import { priceToNumber } from '../shared/market/price.ts'
import { type Incident, publishedIncidents, readIncidents } from './replay/incidents.ts'
import { details, table } from './replay/print.ts'
import { replay, type Replayed } from './replay/replay.ts'
import { readSeries } from './replay/series.ts'

const USAGE = `usage: npm run replay -- --a FILE [--b FILE] [--incidents FILE] [--json FILE]

  --a FILE          first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta)
                    or JSON lines ({"committed_at","body":[...]})
  --b FILE          second, independent source
  --incidents FILE  known faults (incidents.csv): says which of them were published
  --json FILE       one line for each published change and each hold`

const { values } = parseArgs({
  options: {
    a: { type: 'string' },
    b: { type: 'string' },
    incidents: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help || !values.a) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 1)
}

const files = [values.a, values.b].filter((path) => path !== undefined).map(readSeries)
const incidents: Incident[] = values.incidents ? readIncidents(values.incidents) : []
const json = values.json === undefined ? null : openSync(values.json, 'w')
const replayed: Replayed[] = []
for (const one of replay(files)) {
  replayed.push(one)
  console.error(`${one.pair}: ${one.simulation.cycles} cycles`)
  if (json !== null) writeSync(json, linesOf(one))
}
if (json !== null) closeSync(json)

console.log(table(replayed))
for (const line of details(replayed)) console.log(line)
for (const { name, skipped } of files) {
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
