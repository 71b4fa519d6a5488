/** The report of `npm run bench`, its table, and the differences between two reports. */
import { table } from '../../support/table.ts'

/** A group of measurements. */
export interface Bench {
  name: string
  /** What is measured, and how. */
  method: string
  /** `progress` writes a line about the work to standard error. */
  run(progress: (line: string) => void): Promise<Figure[]>
}

/** One measured number, and its budget if it has one. */
export interface Figure {
  name: string
  value: number
  unit?: string
  atMost?: number
  atLeast?: number
}

export interface Result {
  name: string
  method: string
  figures: Figure[]
  /** Why the bench could not be measured. */
  failure: string | null
}

/** What `npm run bench -- --json` prints. */
export interface Report {
  /** The time and the machine. */
  machine: string
  results: Result[]
}

export { median } from 'simple-statistics'

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Whether everything was measured and is within its budget. */
export function isGood({ results }: Report): boolean {
  return results.every(({ failure, figures }) => failure === null && figures.every(isKept))
}

export function printReport({ machine, results }: Report): string {
  const rows = results.flatMap(({ name, figures, failure }) => [
    ...figures.map((figure) => [name, figure.name, budgetOf(figure), valueOf(figure)]),
    ...(failure === null ? [] : [[name, `not measured: ${failure}`, '**broken**', '']]),
  ])
  const methods = results.map(({ name, method }) => `- ${name}: ${method}`)
  return [
    table([['bench', 'figure', 'target', 'measured'], ...rows]),
    '',
    ...methods,
    '',
    machine,
  ].join('\n')
}

/** In Markdown: figures that changed, appeared, disappeared or exceed a budget. */
export function compareReports(before: Report, after: Report): string {
  const was = figuresOf(before)
  const is = figuresOf(after)
  const rows = [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => was.get(name)?.value !== is.get(name)?.value || !isKept(is.get(name)!))
    .map((name) => {
      const [old, now] = [was.get(name), is.get(name)]
      return [name, valueOf(old), valueOf(now), changeOf(old, now), now ? budgetOf(now) : '']
    })
  const failed = after.results
    .filter(({ failure }) => failure !== null)
    .map(({ name, failure }) => `- ${name} was not measured: ${failure}`)
  const heads = ['figure', 'before', 'now', 'change', 'target']
  return [rows.length === 0 ? 'No figure changed.' : table([heads, ...rows]), ...failed].join('\n')
}

function figuresOf({ results }: Report): Map<string, Figure> {
  return new Map(
    results.flatMap(({ name, figures }) =>
      figures.map((figure) => [`${name}: ${figure.name}`, figure] as const),
    ),
  )
}

function isKept({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast
}

function valueOf(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${figure.value} ${figure.unit ?? ''}`.trim()
}

function changeOf(was: Figure | undefined, is: Figure | undefined): string {
  if (was === undefined) return 'new'
  if (is === undefined) return 'gone'
  if (was.value === 0) return ''
  const percent = rounded((is.value / was.value - 1) * 100)
  return `${percent > 0 ? '+' : ''}${percent} %`
}

function budgetOf(figure: Figure): string {
  const { atMost, atLeast } = figure
  const budget = atMost === undefined ? atLeast && `≥ ${atLeast}` : `≤ ${atMost}`
  return budget === undefined ? '' : `${budget}${isKept(figure) ? '' : ', **broken**'}`
}
