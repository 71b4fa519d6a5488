import { statSync } from 'node:fs'
import { sum } from 'simple-statistics'
import { Command } from '@commander-js/extra-typings'
import { type Format, recognise } from '../import/formats.ts'
import { importSeries } from '../import/import-series.ts'
import { importInvoicing, isInvoicingFile } from '../import/invoicing.ts'
import { createProgress } from '../import/progress.ts'
import { lost, readFile } from '../import/read-file.ts'
import { records, separatorOf } from '../import/records.ts'
import { type PairSummary, reasons, summaryLines } from '../import/report.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { CommandError } from '../../support/arguments.ts'
import { type AdminContext, run } from './command.ts'
import { readPair } from './read-values.ts'

/** The format of files of invoicing rates. */
const INVOICING = Symbol('invoicing')

export const importCommand = new Command('import')
  .description(
    [
      'Imports history: argentinadatos, dolarapi and CER files, or currency,origin,at,buy,sell. A daily ' +
        'close counts from the end of its Argentine day (CER and UVA from its start). Only changes ' +
        'become points. Hourly data replaces daily closes; otherwise the first import of a time stays. ' +
        'Values that were recorded live or corrected never change. A second import changes nothing, ' +
        'and an interrupted one can be run again. Charts, daily tables and files follow within ten ' +
        'minutes, or with the next local cycle.',
      'A file of fecha,compra,venta (or fecha,valor) holds the closes of the pair that --pair names. ' +
        'Separators are commas, semicolons or tabs.',
      'A file of date,currency,buy,sell[,units] holds invoicing rates: prices for `units` (1 or 100; 1 ' +
        'when absent) of a currency of the wholesale table of Banco Nación. They replace rates that ' +
        'differ; `admin invoicing` lists the replaced rates and restores them.',
    ].join('\n\n'),
  )
  .argument('<FILE...>')
  .option('--pair <PAIR>', 'the pair of files that do not name it: usd/blue', readPair)
  .option('--dry-run', 'reports, but writes nothing')
  .action(run(runImport))

async function runImport(
  context: AdminContext,
  files: readonly string[],
  { pair, dryRun = false }: { dryRun?: boolean | undefined; pair?: Pair | undefined },
): Promise<void> {
  const options = { pair, dryRun }
  // All files are recognised before the first is imported, so that a wrong file cannot stop the
  // import halfway.
  const known: { file: string; format: Format | typeof INVOICING }[] = []
  for (const file of files) {
    const format = await formatOf(file, options.pair)
    if (typeof format === 'string') context.warn(`${file}: left out, ${format}`)
    else known.push({ file, format })
  }
  if (known.length === 0) throw new CommandError('no file with quotes among these')

  let [points, rowsLost] = [0, 0]
  for (const { file, format } of known) {
    const imported =
      format === INVOICING
        ? await importRates(file, options, context)
        : await importFile(file, format, options, context)
    points += imported.points
    rowsLost += imported.rowsLost
  }
  const verb = options.dryRun ? 'would be made' : 'made'
  if (!known.every(({ format }) => format === INVOICING))
    context.print(`${points} new points ${verb} from ${known.length} file(s)`)
  const left = [
    ...(known.length < files.length ? [`${files.length - known.length} file(s)`] : []),
    ...(rowsLost > 0 ? [`${rowsLost} row(s)`] : []),
  ]
  if (left.length > 0) throw new CommandError(`${left.join(' and ')} left out, as told above`)
}

interface Imported {
  points: number
  /** The number of left-out rows whose data no other row has. */
  rowsLost: number
}

/** Imports invoicing rates, which are not points of pairs. */
async function importRates(
  file: string,
  { dryRun }: { dryRun: boolean },
  { db, now, print, warn }: AdminContext,
): Promise<Imported> {
  const imported = importInvoicing(db, records(file), { now: now(), dryRun })
  const { rates, days, leftOut } = await naming(file, imported)
  print(`${file}: ${rates} invoicing rates of ${days} days${dryRun ? ' would be taken in' : ''}`)
  if (leftOut.size > 0) warn(`  left out: ${reasons(leftOut)}`)
  return { points: 0, rowsLost: lost(leftOut) }
}

async function importFile(
  file: string,
  format: Format,
  options: { dryRun: boolean },
  { db, now, print, warn }: AdminContext,
): Promise<Imported> {
  const begin = now()
  const progress = createProgress(file)
  const { series, strangers, read } = await naming(file, readFile(records(file), format, now()))

  const summaries: PairSummary[] = []
  for (const [index, each] of series.entries()) {
    progress(index / series.length, pairKey(each.pair))
    summaries.push(await importSeries(db, format, each, options))
  }

  const seconds = Math.max(now() - begin, 1) / 1000
  print(`${file}: ${read} rows in ${seconds.toFixed(1)} s (${format.source})`)
  for (const line of summaryLines(summaries)) print(line)
  if (strangers.size > 0) warn(`  left out: ${reasons(strangers)}`)
  return {
    points: sum(summaries.map(({ made }) => made)),
    rowsLost: sum([strangers, ...summaries.map(({ skipped }) => skipped)].map(lost)),
  }
}

/** Adds the name of the file to the error when its contents cannot be read. */
async function naming<Result>(file: string, reading: Promise<Result>): Promise<Result> {
  return reading.catch((error: unknown) => {
    if (error instanceof SyntaxError) throw new CommandError(`${file}: ${error.message}`)
    throw error
  })
}

/** The columns that are accepted. */
const WANTED =
  'wanted: currency,origin,at,buy,sell; date,currency,buy,sell[,units]; fecha,compra,venta with --pair'

/** The format, from the file's name and first row, or why the file is left out. */
async function formatOf(file: string, pair?: Pair): Promise<Format | typeof INVOICING | string> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new CommandError(`${file}: ${stats ? 'not a file' : 'no such file'}`)

  const rows = records(file)
  const first = await naming(file, rows.next())
  await rows.return(undefined)
  if (first.done) return 'it has no rows'
  if (isInvoicingFile(first.value)) return INVOICING
  const found = recognise(file, first.value, pair)
  if (found !== null) return found
  const columns = Object.keys(first.value).join(',')
  return `not a format of quotes: columns ${columns}, separated by ${await separatorOf(file)}; ${WANTED}`
}
