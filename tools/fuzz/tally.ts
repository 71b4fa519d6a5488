/** How many requests of each route were sent, and how they were answered. */
export class Tally {
  private readonly rows = new Map<string, Row>()

  count(route: string, asIs: boolean, answered: number | 'runtime' | 'none', ms: number): void {
    const row = this.rows.get(route) ?? { sent: 0, 'as is': 0, ...EMPTY, 'slowest ms': 0 }
    this.rows.set(route, row)
    row.sent += 1
    if (asIs) row['as is'] += 1
    row[columnOf(answered)] += 1
    row['slowest ms'] = Math.max(row['slowest ms'], Math.round(ms))
  }

  /** A row for each route, in the order of the names, and their sum. */
  table(names: readonly string[]): Record<string, Row> {
    const known = names.flatMap((name): [string, Row][] => {
      const row = this.rows.get(name)
      return row ? [[name, row]] : []
    })
    return Object.fromEntries([...known, ['all', sum(known.map(([, row]) => row))]])
  }
}

/** The table's columns, in their order. */
export const COLUMNS = [
  'sent',
  'as is',
  ...'2xx 3xx 400 401 404 405 409 429'.split(' '),
  'other 4xx',
  '503',
  'other 5xx',
  'runtime',
  'no answer',
  'slowest ms',
]

const EMPTY = {
  '2xx': 0,
  '3xx': 0,
  '400': 0,
  '401': 0,
  '404': 0,
  '405': 0,
  '409': 0,
  '429': 0,
  'other 4xx': 0,
  '503': 0,
  'other 5xx': 0,
  runtime: 0,
  'no answer': 0,
}

type Column = keyof typeof EMPTY
export type Row = typeof EMPTY & { sent: number; 'as is': number; 'slowest ms': number }

function columnOf(answered: number | 'runtime' | 'none'): Column {
  if (answered === 'runtime') return 'runtime'
  if (answered === 'none') return 'no answer'
  const own = String(answered) as Column
  if (own in EMPTY) return own
  if (answered >= 500) return 'other 5xx'
  if (answered >= 400) return 'other 4xx'
  return answered >= 300 ? '3xx' : '2xx'
}

function sum(rows: readonly Row[]): Row {
  const total: Row = { sent: 0, 'as is': 0, ...EMPTY, 'slowest ms': 0 }
  for (const row of rows) {
    for (const name of Object.keys(total) as (keyof Row)[]) {
      if (name === 'slowest ms') total[name] = Math.max(total[name], row[name])
      else total[name] += row[name]
    }
  }
  return total
}
