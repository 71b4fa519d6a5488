/** `npm run replay`: feeds recorded series through the guard, and tells what it would have published. */
import { writeFileSync } from 'node:fs'
import { Command, Option } from '@commander-js/extra-typings'
import { formatUtc } from '../../shared/argentine-time.ts'
import { findPairByKey, type PairKey } from '../../shared/market/catalog.ts'
import { priceToNumber } from '../../shared/market/price.ts'
import { each, readWhole, runCommand, UsageError, whole } from '../support/arguments.ts'
import { type Incident, publishedIncidents, readIncidents } from './replay/incidents.ts'
import { details, table } from './replay/print.ts'
import { replay, type Replayed } from './replay/replay.ts'
import { kinds, runInjection } from './replay/inject/command.ts'
import { filesOf, within } from './replay/roles.ts'

const MOST_TRIALS = 100_000
const SEED_MAX = 2 ** 32 - 1
const day = (text: string) => {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`${text} is no day`)
  return Date.parse(text)
}
const names = (text: string) => text.split(',')

const command = new Command('npm run replay --')
  .option(
    '--a <FILE>',
    'first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta) or JSON lines ' +
      '({"committed_at","body":[...]})',
  )
  .option('--b <FILE>', "stands for the pair's next source of another provenance")
  .option(
    '--source <NAME=FILE>',
    'stands for the source, document or provenance NAME of the service (ambito, dolarhoy, ' +
      'dolarapi-dolares); a NAME that it does not know is independent (repeatable)',
    each(String),
    [],
  )
  .option('--in-need', 'asks all but the first source only when the guard wants more', false)
  .option('--incidents <FILE>', 'known faults (incidents.csv): says which of them were published')
  .option(
    '--json <FILE>',
    'one line for each published change and each hold; with --inject, each trial',
  )
  .option('--pair <P,...>', 'only these pairs', names)
  .option(
    '--inject <SEED,...>',
    'puts seeded faults into one source, seeded moves into all, and counts',
    (text) => names(text).map((seed) => readWhole('--inject', seed, 0, SEED_MAX)),
  )
  .option('--fault <NAME>', 'the source to put faults into: first, second, or its name', 'first')
  .addOption(
    new Option('--mode <MODE>', 'two (all sources), alone (the faulted one), or both')
      .choices(['two', 'alone', 'both'])
      .default('both' as const),
  )
  .option('--kind <K,...>', 'only these kinds of fault, or "moves"', kinds)
  .addOption(
    whole(
      '--trials <N>',
      'faults of each kind for each pair and seed; half as many of each move',
      0,
      MOST_TRIALS,
    ).default(12),
  )
  .addOption(
    whole(
      '--examples <N>',
      'shows this many of the faults that were published',
      0,
      MOST_TRIALS,
    ).default(0),
  )
  .option(
    '--against <FOLDER>',
    'with --inject, judges the guard of another checkout beside this one',
  )
  .option('--from <DAY>', 'leaves out what was said before this day (2024-08-26)', day)
  .option('--until <DAY>', 'leaves out what was said from this day on', day)
  .option('--check', 'compares with the targets and fails when one is missed', false)

command.action(async (values) => {
  const files = filesOf(values).map((file) => within(file, values))
  if (files.length === 0) throw new UsageError('--a, --b or --source needs a file')
  const { inject, ...flags } = values
  if (inject) return void (process.exitCode = await runInjection(files, { ...flags, inject }))

  const { inNeed, pair: pairs, json } = values
  const incidents = values.incidents === undefined ? null : readIncidents(values.incidents)
  const replayed = replay(files, { inNeed, pairs })
  if (json !== undefined) writeFileSync(json, replayed.map(linesOf).join(''))

  console.log(table(replayed))
  for (const line of details(replayed)) console.log(line)
  for (const { name, skipped } of files.map(({ series }) => series)) {
    if (skipped > 0)
      console.log(
        `${name}: ${skipped} rows without a pair of the catalogue (solidario) or a number`,
      )
  }
  if (incidents) tellIncidents(incidents, replayed)
})
await runCommand(command)

function tellIncidents(incidents: readonly Incident[], replayed: readonly Replayed[]): void {
  const published = replayed.flatMap(({ pair, simulation }) =>
    publishedIncidents(incidents, pair as PairKey, simulation.publications),
  )
  console.log(`known faults: ${incidents.length} sides, published: ${published.length}`)
  for (const { pair, at, value } of published)
    console.log(`  ${pair} ${formatUtc(at)} ${priceToNumber(value)}`)
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
