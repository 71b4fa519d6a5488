import type { Context } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'
import { respondHistory } from './history.ts'
import { EVOLUTION_CSV_LIST, EVOLUTION_LIST } from './lists.ts'
import { compatibilityNotFound } from './not-found.ts'

/** Bluelytics ignores a number from here on. */
const MOST_ROWS = 10_000

/** Bluelytics' evolution, newest first. As there, `days` is the number of rows. */
export const evolution = (deps: AppDeps) =>
  firstOf(deps, EVOLUTION_LIST, (list, rows) => {
    // The only `}` of a row is its last character.
    const end = endOf(list, '}', rows)
    if (end === -1) return list
    return end === 0 ? '[]' : `${list.slice(0, end)}]`
  })

/** The same as CSV: the first line names the columns. */
export const evolutionCsv = (deps: AppDeps) =>
  firstOf(deps, EVOLUTION_CSV_LIST, (list, rows) => {
    const end = endOf(list, '\n', rows + 1)
    return end === -1 ? list : list.slice(0, end)
  })

function firstOf(
  deps: AppDeps,
  list: typeof EVOLUTION_LIST,
  cut: (list: string, rows: number) => string,
) {
  return async (c: Context<EdgeContext>): Promise<Response> => {
    const rows = requestedRows(c.req.query('days'))
    const whole = await respondHistory(c, deps, list, rows === null ? '' : `${rows} rows`)
    if (!whole) return compatibilityNotFound(c.req.path)
    if (rows === null || whole.body === null) return whole

    return new Response(cut(await whole.text(), rows), { headers: whole.headers })
  }
}

function requestedRows(days: string | undefined): number | null {
  const rows = /^\+?\d{1,9}$/.test(days ?? '') ? Number(days) : MOST_ROWS
  return rows < MOST_ROWS ? rows : null
}

/** Where the n-th `mark` of a text ends; 0 for none of them, -1 when there are fewer. */
function endOf(text: string, mark: string, count: number): number {
  let end = 0
  for (let found = 0; found < count; found++) {
    const at = text.indexOf(mark, end)
    if (at === -1) return -1
    end = at + 1
  }
  return end
}
