import { Command } from '@commander-js/extra-typings'
import type { Mode } from '../../../shared/board/board.ts'
import { setModeStatement, readMode } from '../../../shared/db/quotes/service-mode.ts'
import { pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { backfill, type BackfillOptions } from '../backfill/backfill.ts'
import { fetchDocuments } from '../backfill/fetch-documents.ts'
import { SERIES } from '../backfill/archives.ts'
import { CommandError } from '../../support/arguments.ts'
import { summaryLines } from '../import/report.ts'
import { type AdminContext, run } from './command.ts'
import { day, readPair } from './read-values.ts'

export const backfillCommand = new Command('backfill')
  .description(
    'Fetches history from the public archives and imports it, from the first day without a value on; ' +
      'recorded, imported and corrected values stay. Sends one request at a time, with pauses. ' +
      'Run the command again after an interruption or an error: it continues where it stopped. ' +
      'tools/operate/backfill/archives.ts lists the archives of each pair.',
  )
  .argument('[PAIR...]', 'all pairs when none is given')
  .option('--from <DAY>', 'from this day on, YYYY-MM-DD', day('--from'))
  .option('--to <DAY>', 'up to this day', day('--to'))
  .option(
    '--upstream <URL>',
    'for a state of mode upstream: requests URL/HOST/PATH instead of https://HOST/PATH',
    readUpstream,
  )
  .option('--dry-run', 'fetches and reports, and writes nothing')
  .action(run(runBackfill))

async function runBackfill(
  context: AdminContext,
  keys: readonly string[],
  { upstream, ...flags }: BackfillOptions & { upstream?: string | undefined },
): Promise<void> {
  const { from, to, dryRun } = flags
  if (from && to && from > to) throw new CommandError('--from is after --to')
  const pairs = keys.length === 0 ? PAIRS : keys.map(readPair)
  const { db, now, print, warn } = context
  const mode = upstream === undefined ? 'live' : 'upstream'
  await requireMode(db, mode)
  if (!dryRun) await setModeStatement(db, mode).run()

  const { filled, failures } = await backfill(
    {
      db,
      get: fetchDocuments({ base: upstream ?? null }),
      now,
      onSeries: (pair) => warn(`fetching ${pairKey(pair)}`),
    },
    { ...flags, pairs },
  )

  for (const line of summaryLines(filled)) print(line)
  const without = pairs.filter((pair) => !SERIES[pairKey(pair)])
  if (without.length > 0) print(`no archive has: ${without.map(pairKey).join(' ')}`)
  if (dryRun) print('nothing is written')
  if (failures.length === 0) return

  for (const { pair, reason } of failures) warn(`${pairKey(pair)} not fetched: ${reason}`)
  throw new CommandError(`${failures.length} series were not fetched: run the command again later`)
}

/** Refuses a state that has values of another mode. */
async function requireMode(db: D1Database, mode: Mode): Promise<void> {
  const stored = await readMode(db)
  if (stored !== null && stored !== mode)
    throw new CommandError(`this state is of mode ${stored} and takes no values of mode ${mode}`)
}

function readUpstream(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new CommandError('--upstream needs an http or https URL')
  return text.replace(/\/+$/, '')
}
