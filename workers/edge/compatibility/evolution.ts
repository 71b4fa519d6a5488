import type { Context } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'
import { respondHistory } from './history.ts'
import { EVOLUTION_LIST } from './lists.ts'
import { notFoundAtPeer } from './not-found.ts'

/** From here on the peer ignores the number. */
const MOST_ROWS = 10_000

/** Bluelytics' evolution, newest first; `days` is how many rows, as there. */
export async function evolution(c: Context<EdgeContext>, deps: AppDeps): Promise<Response> {
  const rows = rowsAsked(c.req.query('days'))
  const list = await respondHistory(c, deps, EVOLUTION_LIST, rows === null ? '' : `${rows} rows`)
  if (!list) return notFoundAtPeer(c.req.path)
  if (rows === null || list.body === null) return list

  return new Response(firstRows(await list.text(), rows), { headers: list.headers })
}

function rowsAsked(days: string | undefined): number | null {
  const rows = /^\+?\d{1,9}$/.test(days ?? '') ? Number(days) : MOST_ROWS
  return rows < MOST_ROWS ? rows : null
}

/** The first rows of a printed list whose rows hold no `}` but their last character. */
function firstRows(list: string, rows: number): string {
  let end = 0
  for (let row = 0; row < rows && end !== -1; row++) end = list.indexOf('}', end + 1)
  if (end === -1) return list
  return end === 0 ? '[]' : `${list.slice(0, end + 1)}]`
}
