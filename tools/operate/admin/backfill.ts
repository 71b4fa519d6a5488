import { Command } from '@commander-js/extra-typings'
import type { Mode } from '../../../shared/board/board.ts'
import { setModeStatement, readMode } from '../../../shared/db/quotes/service-mode.ts'
import { pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { backfill, type BackfillOptions } from '../backfill/backfill.ts'
import { fetchDocuments } from '../backfill/fetch-documents.ts'
import { SERIES } from '../backfill/archives.ts'
import { CommandError } from '../../support/arguments.ts'
import { createProgress } from '../import/progress.ts'
import { summaryLines } from '../import/report.ts'
import { findRunning } from '../local/running.ts'
import { type AdminContext, run } from './command.ts'
import { day, readPair } from './read-values.ts'

export const backfillCommand = new Command('backfill')
  .description(
    'Fetches history from the public archives and imports it, from the first day without a value on; ' +
      'recorded, imported and corrected values stay. It sends one request at a time, with pauses. ' +
      'Run it again after an interruption or an error: it continues where it stopped. ' +
      'tools/operate/backfill/archives.ts has the archive of each pair.',
  )
  .argument('[PAIR...]', 'all pairs when none is given')
  .option('--from <DAY>', 'from this day on, YYYY-MM-DD', day('--from'))
  .option('--to <DAY>', 'up to this day', day('--to'))
  .option(
    '--upstream <URL>',
    'requests URL/HOST/PATH instead of https://HOST/PATH; the default is that of the service that ' +
      'runs on the state folder (the demo market, its --upstream)',
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
  const { base, mode } = await originOf(context, upstream)
  if (!dryRun) await setModeStatement(db, mode).run()

  const { filled, failures } = await backfill(
    { db, get: fetchDocuments({ base }), now, onProgress: createProgress('backfill') },
    { ...flags, pairs },
  )

  for (const line of summaryLines(filled)) print(line)
  const without = pairs.filter((pair) => !SERIES[pairKey(pair)])
  if (without.length > 0) print(`no archive has: ${without.map(pairKey).join(' ')}`)
  if (dryRun) print('nothing is written')
  if (failures.length === 0) return

  for (const { pair, reason } of failures) warn(`${pairKey(pair)} not fetched: ${reason}`)
  throw new CommandError(`${failures.length} series could not be had: run it again later`)
}

/**
 * Where to fetch from (null: the public archives), and the mode of those values. Without
 * --upstream, the address from which the service on this state fetches. A state never gets the past
 * of another mode.
 */
async function originOf(
  { db, remote, stateDir }: AdminContext,
  upstream: string | undefined,
): Promise<{ base: string | null; mode: Mode }> {
  const running = remote ? null : findRunning(stateDir)
  const origin =
    upstream !== undefined
      ? { base: upstream, mode: 'upstream' as const }
      : { base: running?.cycle.upstream ?? null, mode: running?.cycle.mode ?? 'live' }

  const stored = await readMode(db)
  if (stored === null || stored === origin.mode) return origin
  const advice =
    stored === 'demo' ? 'start the service first' : 'start the service first, or give --upstream'
  throw new CommandError(
    `this state is of mode ${stored} and takes no values of mode ${origin.mode}` +
      (stored === 'live' ? '' : `: ${advice}`),
  )
}

function readUpstream(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new CommandError('--upstream needs an http or https URL')
  return text.replace(/\/+$/, '')
}
