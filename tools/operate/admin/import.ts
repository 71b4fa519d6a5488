import { existsSync, statSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { drawCharts } from '../import/draw-charts.ts'
import { type Format, recognise } from '../import/formats.ts'
import { type ImportOptions, importSeries } from '../import/import-series.ts'
import { importInvoicing, isInvoicingFile } from '../import/invoicing.ts'
import { createProgress } from '../import/progress.ts'
import { readFile } from '../import/read-file.ts'
import { records } from '../import/records.ts'
import {
  findingLists,
  type PairSummary,
  reasons,
  skippedLines,
  summaryTable,
} from '../import/report.ts'
import { LOCAL_CHUNK, REMOTE_CHUNK } from '../import/write.ts'
import { adminCommand, type AdminContext, AdminError } from './command.ts'

/** Stands for the format of files that hold no quotes. */
const INVOICING = Symbol('invoicing')

export const importCommand = adminCommand(
  new Command('import')
    .summary(
      'Takes in history: argentinadatos, dolarapi and CER files, or currency,origin,at,buy,sell.',
    )
    .description(
      `Takes in history: argentinadatos, dolarapi and CER files, or currency,origin,at,buy,sell. Daily
closes stand at the end of their Argentine day (CER and UVA at its start). Only changes become
points. Hourly data beats daily closes; otherwise what was imported first stays. What was recorded
live or corrected is never changed. Importing again changes nothing, and an import that was
interrupted can be run again. The charts and daily tables are drawn anew at the end. An alert of a
change within the day that was measured from a value that is replaced is withdrawn.

A file of date,currency,buy,sell[,units] holds invoicing rates: prices for \`units\` (1 or 100, 1
without it) of a currency of the wholesale table of Banco Nación. They replace what differs, and
what they replace is kept.`,
    )
    .argument('<FILE...>')
    .option('--dry-run', 'reports and writes nothing', false)
    .option(
      '--drop-suspicious',
      'leaves out what it lists as suspicious; large moves that the next value confirms or carries ' +
        'on are kept, and listed apart',
      false,
    ),
  runImport,
)

async function runImport(
  [files]: [string[]],
  context: AdminContext,
  flags: Omit<ImportOptions, 'chunkSize' | 'now'>,
): Promise<void> {
  const chunkSize = context.remote ? REMOTE_CHUNK : LOCAL_CHUNK
  const options = { ...flags, chunkSize, now: context.now() }
  // All files are recognised first: a wrong one must not stop the import half-way.
  const known: { file: string; format: Format | typeof INVOICING }[] = []
  for (const file of files) {
    const format = await formatOf(file)
    if (typeof format === 'string') context.warn(`${file}: left out, ${format}`)
    else known.push({ file, format })
  }
  if (known.length === 0) throw new AdminError('no file with quotes among these')

  const summaries: PairSummary[] = []
  for (const { file, format } of known) {
    if (format === INVOICING) await importRates(file, options, context)
    else summaries.push(...(await importFile(file, format, options, context)))
  }
  if (known.every(({ format }) => format === INVOICING)) return
  if (!options.dryRun) await draw(context)
  const points = summaries.reduce((all, { made }) => all + made, 0)
  const verb = options.dryRun ? 'would be made' : 'made'
  context.print(`${points} new points ${verb} from ${known.length} file(s)`)
}

/** Rates of invoices: no points, so no summary of pairs and no charts. */
async function importRates(
  file: string,
  { dryRun }: Pick<ImportOptions, 'dryRun'>,
  { db, now, print, warn }: AdminContext,
): Promise<void> {
  const told = importInvoicing(db, records(file), { now: now(), dryRun })
  const { rates, days, leftOut } = await told.catch((error: unknown) => {
    if (error instanceof SyntaxError) throw new AdminError(`${file}: ${error.message}`)
    throw error
  })
  print(`${file}: ${rates} invoicing rates of ${days} days${dryRun ? ' would be taken in' : ''}`)
  if (leftOut.size > 0) warn(`  left out: ${reasons(leftOut)}`)
}

/** Draws what was imported; what cannot be drawn now is drawn by the next cycle. */
export async function draw({ db, kv, now, warn }: AdminContext): Promise<void> {
  const progress = createProgress('charts', { now })
  const failed = await drawCharts(db, kv, now(), (share) => progress.show(share, ''))
  progress.end()
  if (failed > 0) warn(`${failed} chart(s) could not be drawn: the next cycle draws them`)
}

async function importFile(
  file: string,
  format: Format,
  options: ImportOptions,
  { db, now, print, warn }: AdminContext,
): Promise<PairSummary[]> {
  const begin = now()
  const size = statSync(file).size
  const progress = createProgress(file, { now })
  let bytes = 0
  const rows = records(file, (count) => {
    bytes += count
    progress.show(bytes / size / 2, 'reading')
  })
  const { series, strangers, read } = await contentsOf(file, rows, format, now())

  const summaries: PairSummary[] = []
  const found: Parameters<typeof findingLists>[0][number][] = []
  for (const [index, each] of series.entries()) {
    progress.show(0.5 + index / series.length / 2, `${each.pair.currency}/${each.pair.origin}`)
    const { summary, findings } = await importSeries(db, format, each, options)
    summaries.push(summary)
    found.push(...findings.map((finding) => ({ pair: each.pair, finding })))
  }
  progress.end()

  const seconds = Math.max(now() - begin, 1) / 1000
  print(`${file}: ${read} rows in ${seconds.toFixed(1)} s (${format.source})`)
  for (const line of summaryTable(summaries)) print(`  ${line}`)
  for (const line of skippedLines(summaries)) print(line)
  if (strangers.size > 0) warn(`  left out: ${reasons(strangers)}`)
  for (const line of findingLists(found, options.dropSuspicious)) print(line)
  return summaries
}

async function contentsOf(
  file: string,
  rows: ReturnType<typeof records>,
  format: Format,
  now: number,
) {
  try {
    return await readFile(rows, format, now)
  } catch (error) {
    if (error instanceof SyntaxError) throw new AdminError(`${file}: ${error.message}`)
    throw error
  }
}

/** The format by the file's name and first row, or why it is left out. */
async function formatOf(file: string): Promise<Format | typeof INVOICING | string> {
  if (!existsSync(file)) throw new AdminError(`${file}: no such file`)
  if (!statSync(file).isFile()) throw new AdminError(`${file}: not a file`)

  const rows = records(file)
  try {
    const first = await rows.next()
    if (first.done) return 'it has no rows'
    return isInvoicingFile(first.value) ? INVOICING : recognise(file, first.value)
  } catch (error) {
    if (error instanceof SyntaxError) throw new AdminError(`${file}: ${error.message}`)
    throw error
  } finally {
    await rows.return(undefined)
  }
}
