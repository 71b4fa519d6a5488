import { Command } from '@commander-js/extra-typings'
import type { Pair } from '../../../shared/market/catalog.ts'
import { CommandError } from '../../support/arguments.ts'
import { type Format, recognise } from '../import/formats.ts'
import { importSeries } from '../import/import-series.ts'
import { importInvoicing, isInvoicingFile } from '../import/invoicing.ts'
import { type LeftOut, lost, readFile, reasons } from '../import/read-file.ts'
import { type FileRecord, readRecords } from '../import/records.ts'
import { type PairSummary, summaryLines } from '../import/report.ts'
import { type AdminContext, run } from './command.ts'
import { readPair } from './read-values.ts'

export const importCommand = new Command('import')
  .description(
    [
      'Imports history: files of argentinadatos, dolarapi or CER, or with currency,origin,at,buy,sell. ' +
        'A daily close counts from the end of its Argentine day (CER and UVA from its start). ' +
        'Only changes become points. Hourly data replaces daily closes; otherwise the first import of ' +
        'a time wins. Recorded live or corrected values never change. Importing a file again changes ' +
        'nothing, or finishes an interrupted import. Charts, daily tables and files follow within ten ' +
        'minutes, or with the next local cycle.',
      'A file with fecha,compra,venta (or fecha,valor) has the closes of the pair that --pair names. ' +
        'Separators are commas, semicolons or tabs.',
      'A file with date,currency,buy,sell[,units] has invoicing rates: prices for `units` (1 or 100, by ' +
        'default 1) of a currency in the wholesale table of Banco Nación. They replace stored rates that ' +
        'differ; `admin invoicing` lists the replaced rates, so that another import can restore them.',
    ].join('\n\n'),
  )
  .argument('<FILE...>')
  .option('--pair <PAIR>', 'the pair of files that name no pair: usd/blue', readPair)
  .option('--dry-run', 'reports, but writes nothing')
  .action(run(runImport))

async function runImport(
  context: AdminContext,
  files: readonly string[],
  { pair, dryRun = false }: { dryRun?: boolean | undefined; pair?: Pair | undefined },
): Promise<void> {
  // Recognises all files before it imports the first, so that a wrong file cannot stop the import
  // halfway.
  const known: Known[] = []
  for (const file of files) {
    const read = recogniseFile(file, pair)
    if (typeof read === 'string') context.warn(`${file}: left out, ${read}`)
    else known.push(read)
  }
  if (known.length === 0) throw new CommandError('no file with quotes among these')

  const left = known.length < files.length ? [`${files.length - known.length} file(s)`] : []
  let rowsLost = 0
  for (const each of known) {
    const leftOut = await (each.format ? importQuotes : importRates)(each, dryRun, context)
    if (leftOut.size > 0) context.warn(`  left out: ${reasons(leftOut)}`)
    rowsLost += lost(leftOut)
  }
  if (rowsLost > 0) left.push(`${rowsLost} row(s)`)
  if (left.length > 0) throw new CommandError(`${left.join(' and ')} left out, as listed above`)
}

/** A file that can be imported. */
interface Known {
  file: string
  rows: FileRecord[]
  /** Null for a file of invoicing rates. */
  format: Format | null
}

/** Imports invoicing rates, which are not points of pairs. Returns the rows that are left out. */
async function importRates(
  { file, rows }: Known,
  dryRun: boolean,
  { db, now, print }: AdminContext,
): Promise<LeftOut> {
  const { rates, days, leftOut } = await importInvoicing(db, rows, { now: now(), dryRun })
  print(`${file}: ${rates} invoicing rates of ${days} days${dryRun ? ' would be taken in' : ''}`)
  return leftOut
}

/** Imports quotes of pairs. Returns the rows that are left out. */
async function importQuotes(
  { file, rows, format }: Known,
  dryRun: boolean,
  { db, now, print }: AdminContext,
): Promise<LeftOut> {
  const { series, leftOut } = readFile(rows, format!, now())
  print(`${file}: ${rows.length} rows (${format!.source})${dryRun ? ', nothing is written' : ''}`)

  const summaries: PairSummary[] = []
  for (const each of series) summaries.push(await importSeries(db, format!, each, { dryRun }))
  for (const line of summaryLines(summaries)) print(line)
  return leftOut
}

/** The accepted columns. */
const WANTED =
  'wanted: currency,origin,at,buy,sell; date,currency,buy,sell[,units]; fecha,compra,venta with --pair'

/** The rows and the format of a file, by its name and its first row; or why it is left out. */
function recogniseFile(file: string, pair?: Pair): Known | string {
  const rows = readRecords(file)
  const [first] = rows
  if (!first) return 'it has no rows'
  if (isInvoicingFile(first)) return { file, rows, format: null }
  const format = recognise(file, rows, pair)
  if (format === null)
    return `not a format of quotes: columns ${Object.keys(first).join(',')}; ${WANTED}`
  return typeof format === 'string' ? format : { file, rows, format }
}
