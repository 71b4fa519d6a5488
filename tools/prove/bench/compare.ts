import { table } from '../../support/table.ts'
import { type Figure, isKept, rounded } from './bench.ts'

/** What `npm run bench -- --json` prints, as far as it is compared. */
export interface BenchReport {
  tasks: { name: string; result: Figure[] | null; failure: string | null }[]
}

/** What changed between two reports, in Markdown: figures that moved, came, went or break a budget. */
export function compareReports(before: BenchReport, after: BenchReport): string {
  const was = figuresOf(before)
  const is = figuresOf(after)
  const names = new Set([...was.keys(), ...is.keys()])
  const rows = [...names].flatMap((name) => rowOf(name, was.get(name), is.get(name)))
  const failed = after.tasks.flatMap(({ name, failure }) =>
    failure === null ? [] : [`- ${name} was not measured: ${failure}`],
  )
  const heads = ['figure', 'before', 'now', 'change', 'budget']
  const what = rows.length === 0 ? 'No figure changed.' : table([heads, ...rows])
  return ['### What it costs now', '', what, ...(failed.length === 0 ? [] : ['', ...failed])].join(
    '\n',
  )
}

function figuresOf({ tasks }: BenchReport): Map<string, Figure> {
  return new Map(
    tasks.flatMap(({ name, result }) =>
      (result ?? []).map((figure) => [`${name}: ${figure.name}`, figure] as const),
    ),
  )
}

function rowOf(name: string, was: Figure | undefined, is: Figure | undefined): string[][] {
  const isSame = was?.value === is?.value
  if (isSame && (is === undefined || isKept(is))) return []
  return [[name, valueOf(was), valueOf(is), changeOf(was, is), budgetOf(is)]]
}

function valueOf(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${figure.value} ${figure.unit}`.trim()
}

function changeOf(was: Figure | undefined, is: Figure | undefined): string {
  if (was === undefined) return 'new'
  if (is === undefined) return 'gone'
  if (was.value === 0) return ''
  const percent = rounded((is.value / was.value - 1) * 100)
  return `${percent > 0 ? '+' : ''}${percent} %`
}

function budgetOf(figure: Figure | undefined): string {
  const budget = figure?.atMost ?? figure?.atLeast
  if (figure === undefined || budget === undefined) return ''
  const sign = figure.atMost === undefined ? '≥' : '≤'
  return `${sign} ${budget}${isKept(figure) ? '' : ', **broken**'}`
}
