import { Counts } from '../harness/counts.ts'

const SLOWEST = 'slowest ms'
const STATUSES = '2xx 3xx 400 401 404 405 409 429'.split(' ')

export const COLUMNS = [
  'sent',
  'as is',
  ...STATUSES,
  'other 4xx',
  '503',
  'other 5xx',
  'runtime',
  'no answer',
  SLOWEST,
]

/** How many requests of each route were sent, and how they were answered. */
export class Tally {
  readonly #rows = new Map<string, Counts>()

  count(route: string, asIs: boolean, answered: number | 'runtime' | 'none', ms: number): void {
    for (const name of [route, 'all']) {
      const row = this.#rows.get(name) ?? new Counts()
      this.#rows.set(name, row)
      row.add('sent')
      if (asIs) row.add('as is')
      row.add(columnOf(answered))
      row.raise(SLOWEST, Math.round(ms))
    }
  }

  /** A row for each route, in the order of the names, and their sum. */
  table(names: readonly string[]): Record<string, Record<string, number>> {
    const rows = [...names, 'all'].flatMap((name) => {
      const row = this.#rows.get(name)
      return row
        ? [[name, Object.fromEntries(COLUMNS.map((column) => [column, row.get(column)]))]]
        : []
    })
    return Object.fromEntries(rows) as Record<string, Record<string, number>>
  }
}

function columnOf(answered: number | 'runtime' | 'none'): string {
  if (answered === 'none') return 'no answer'
  const own = String(answered)
  if (COLUMNS.includes(own)) return own
  const hundreds = `${own[0]}xx`
  return COLUMNS.includes(hundreds) ? hundreds : `other ${hundreds}`
}
