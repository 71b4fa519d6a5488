/** Keeps responses in the isolate's memory whose making costs far more than a look-up. */
import type { Context, MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { type Instant, argentineDay, SECOND_MS } from '../../shared/argentine-time.ts'
import { type Board, readBoard } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { unavailable } from '../../shared/http-error.ts'
import { RecentlyUsed } from '../../shared/bounded-memory.ts'
import type { KeptResponse, SiteContext, SiteEnv } from './context.ts'
import type { Deployment } from '../../shared/api/operation.ts'
import { setting } from '../../shared/config/config.ts'

/** All pages, with fifteen years of every pair, take 6 MB. */
const MAX_BYTES = 8_000_000

/** The responses that an isolate keeps, by address. */
export function createKept(): RecentlyUsed<KeptResponse> {
  return new RecentlyUsed(MAX_BYTES, sizeOf)
}

/** Counts key and version too: a long query, or the board in the version, may exceed the body. */
function sizeOf({ body, version }: KeptResponse, key: string): number {
  return body.byteLength + 2 * (key.length + version.length)
}

interface Dependence {
  /** A text that changes whenever the response may change; null when nothing can be kept. */
  versionOf: (c: Context<SiteContext>) => string | null | Promise<string | null>
  /** How long a response is kept while its version is the same. */
  forMs: number
}

/** What the documentation says about this deployment. */
export function deploymentOf({ env, var: { origin } }: Context<SiteContext>): Deployment {
  return {
    origin,
    dateReads: setting(env, 'DATE_READ_LIMIT'),
    unknownKeys: setting(env, 'UNKNOWN_KEY_LIMIT'),
    dailyBudget: setting(env, 'DAILY_PRIVATE_BUDGET'),
    waits: setting(env, 'DELIVERY_WAITS'),
    compatibility: setting(env, 'COMPATIBILITY') === 'on',
  }
}

/** For responses that depend on the code, the configuration and the address. */
export const OF_BUILD: Dependence = {
  versionOf: (c) => JSON.stringify(deploymentOf(c)),
  forMs: Number.POSITIVE_INFINITY,
}

/** For responses that depend on the board and on history, and show ages in whole minutes. */
export const OF_BOARD: Dependence = { versionOf: versionOfBoard, forMs: 30 * SECOND_MS }

/** Sets `c.var.board` for the route. */
async function versionOfBoard(c: Context<SiteContext>) {
  const now = c.var.now()
  const board = await boardForPage(c.env, now)
  c.set('board', board)
  return board && JSON.stringify([argentineDay(now), board])
}

/** The board of a page that shows nothing without it. */
export function boardOf({ var: { board } }: Context<SiteContext>): Board {
  if (board) return board
  throw unavailable('No pudimos leer las cotizaciones, probá de nuevo en un minuto', 30)
}

/**
 * Responds from the isolate's memory, with an ETag and 304. `parameters` are the query parameters
 * that change the response; others are ignored.
 */
export function kept(
  { versionOf, forMs }: Dependence,
  parameters: readonly string[] = [],
): MiddlewareHandler<SiteContext> {
  const conditional = etag()

  return (c, next) =>
    conditional(c, async () => {
      const startedAt = c.var.now()
      const version = await versionOf(c)
      if (version === null) return next()

      const key = keyOf(c, parameters)
      const known = c.var.kept.get(key)
      if (known?.version === version && Math.abs(startedAt - known.madeAt) < forMs) {
        c.res = new Response(known.body, { headers: known.headers })
        return
      }
      await next()
      if (c.res.status !== 200) return

      const { headers } = c.res
      const body = await c.res.arrayBuffer()
      c.var.kept.set(key, { body, headers, version, madeAt: startedAt })
      c.res = new Response(body, { headers })
    })
}

/** Addresses of a pair in any letter case share an entry. */
function keyOf({ req, var: { origin } }: Context<SiteContext>, parameters: readonly string[]) {
  const path = req.path.toLowerCase()
  return JSON.stringify([origin, path, ...parameters.map((name) => req.query(name) ?? null)])
}

/**
 * The board for pages. When the database has no quote either, an old board is better than none,
 * because pages mark late values. Null when there is no quote anywhere.
 */
async function boardForPage(
  { BOARD, DB }: Pick<SiteEnv, 'BOARD' | 'DB'>,
  now: Instant,
): Promise<Board | null> {
  const { board, published } = await readBoard(BOARD, () => boardFromDatabase(DB, now), now)
  if (board && (board === published || board.quotes.length > 0)) return board
  return published
}
