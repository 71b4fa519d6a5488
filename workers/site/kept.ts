/**
 * Responses that cost far more than a read are made once per version of their data, and kept: a
 * page of the documentation per build, a page of quotes per board and day.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { argentineDay, MINUTE_MS, type Instant } from '../../shared/argentine-time.ts'
import { toHex } from '../../shared/crypto/hex.ts'
import type { SiteContext, SiteEnv } from './context.ts'
import type { KeptResponse } from './kept-responses.ts'
import { termsOf } from './reference/limits.ts'
import type { Board } from '../../shared/board/board.ts'
import { readBoard as readSharedBoard } from '../../shared/board/read-board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/board-fallback.ts'

interface Dependence {
  /** A text that changes whenever the response may change; null when nothing can be kept. */
  versionOf: (c: Context<SiteContext>) => string | null | Promise<string | null>
  /** How long a response is kept while its version is the same. */
  forMs: number
}

/**
 * Responses that only a deployment changes: they depend on the code, the configuration and the
 * address.
 */
export const OF_BUILD: Dependence = {
  versionOf: (c) => JSON.stringify(termsOf(c)),
  forMs: Number.POSITIVE_INFINITY,
}

/**
 * Responses that depend on the board and the past, which changes with the board or with its
 * revision.
 */
export const OF_BOARD: Dependence = { versionOf: versionOfBoard, forMs: 5 * MINUTE_MS }

/** The same, with ages in whole minutes or the points of the last day, which a correction changes. */
export const OF_BOARD_AND_MINUTE: Dependence = { versionOf: versionOfBoard, forMs: MINUTE_MS / 2 }

/**
 * Sets the board for the route. The board's instant is not part of the version, because a board
 * from the database always has a new one.
 */
async function versionOfBoard(c: Context<SiteContext>) {
  const now = c.var.kept.now()
  const board = await readBoard(c.env, now)
  c.set('board', board)
  if (!board) return null

  const { mode, quotes, tableDay, decreed, historyRevision } = board
  return JSON.stringify([argentineDay(now), mode, tableDay, decreed, historyRevision, quotes])
}

/**
 * Responds from the isolate's memory, with an ETag and 304. `parameters` are the parameters of the
 * query that change the response; others are ignored.
 */
export function kept(
  { versionOf, forMs }: Dependence,
  parameters: readonly string[] = [],
): MiddlewareHandler<SiteContext> {
  const conditional = etag()

  return (c, next) =>
    conditional(c, async () => {
      const answers = c.var.kept
      const version = await versionOf(c)
      if (version === null) return next()

      const key = keyOf(c, parameters)
      const known = answers.find(key, version, forMs) ?? (await answers.beingMade(key))
      if (known?.version === version) return respond(c, known)

      const made = answers.keep(key, make(c, next, version))
      // Others may wait for it, so it goes on when this request's client leaves.
      c.executionCtx.waitUntil(made.catch(() => {}))
      const answer = await made
      if (answer) respond(c, answer)
    })
}

/** Addresses of a pair in any letter case share an entry. */
function keyOf({ req, var: { origin } }: Context<SiteContext>, parameters: readonly string[]) {
  const path = req.path.toLowerCase()
  return JSON.stringify([origin, path, ...parameters.map((name) => req.query(name) ?? null)])
}

/** Null when the response is not a 200. It is then in the context already. */
async function make(
  c: Context<SiteContext>,
  next: () => Promise<void>,
  version: string,
): Promise<KeptResponse | null> {
  await next()
  if (c.res.status !== 200) return null

  const body = await c.res.arrayBuffer()
  const headers = new Headers(c.res.headers)
  const digest = await crypto.subtle.digest('SHA-1', body)
  headers.set('ETag', `"${toHex(new Uint8Array(digest))}"`)
  return { body, headers, version, madeAt: c.var.kept.now() }
}

function respond(c: Context<SiteContext>, { body, headers }: KeptResponse): void {
  c.res = undefined
  c.res = new Response(body, { headers })
}

/**
 * The board for a page. When the database has no quote either, an old board is better than none,
 * because pages mark late values. Null when there is no quote anywhere.
 */
async function readBoard(
  { BOARD, DB }: Pick<SiteEnv, 'BOARD' | 'DB'>,
  now: Instant,
): Promise<Board | null> {
  const { board, published } = await readSharedBoard(BOARD, () => boardFromDatabase(DB, now), now)
  if (board && (board === published || board.quotes.length > 0)) return board
  return published
}
