/** A D1 and a KV that count what is asked of them. */
import type { Figure } from './report.ts'

export interface Spent {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

const NOTHING: Spent = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }

/** Counts round trips and rows, as D1 itself reports them. */
export function measured(binding: D1Database) {
  let spent = { ...NOTHING }
  const real = new WeakMap<object, D1PreparedStatement>()

  function count(results: D1Result[]): void {
    spent.roundTrips += 1
    for (const { meta } of results) {
      spent.rowsRead += meta.rows_read
      spent.rowsWritten += meta.rows_written
    }
  }

  function measure(statement: D1PreparedStatement) {
    async function all() {
      const result = await statement.all()
      count([result])
      return result
    }
    const measured = {
      bind: (...values: unknown[]) => measure(statement.bind(...values)),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
    } as unknown as D1PreparedStatement
    real.set(measured, statement)
    return measured
  }

  const db = {
    prepare: (sql: string) => measure(binding.prepare(sql)),
    async batch(list: D1PreparedStatement[]) {
      const results = await binding.batch(list.map((statement) => real.get(statement)!))
      count(results)
      return results
    },
  } as unknown as D1Database
  return { db, spent: () => ({ ...spent }), forget: () => (spent = { ...NOTHING }) }
}

/** The cost of one operation beside its limits. */
export function costFigures(name: string, cost: Spent, atMost: Spent): Figure[] {
  const of = (what: string, key: keyof Spent): Figure => ({
    name: `${name}: ${what}`,
    value: cost[key],
    atMost: atMost[key],
  })
  return [
    of('round trips', 'roundTrips'),
    of('rows read', 'rowsRead'),
    of('rows written', 'rowsWritten'),
  ]
}

/** Counts reads and writes. Miniflare's stub takes bytes as a buffer. */
export function measuredKv(stored: KVNamespace) {
  const counts = { read: 0, written: 0 }
  const kv = {
    get(name: string) {
      counts.read += 1
      return stored.get(name)
    },
    async put(name: string, value: string | Uint8Array) {
      counts.written += 1
      await stored.put(name, typeof value === 'string' ? value : value.slice().buffer)
    },
    delete: (name: string) => stored.delete(name),
  } as unknown as KVNamespace
  return { kv, counts }
}
