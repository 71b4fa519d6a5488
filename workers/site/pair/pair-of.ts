import type { Context, MiddlewareHandler } from 'hono'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import type { SiteContext } from '../context.ts'

/** The pair of a path in any letter case. */
export function pairOf(c: Context<SiteContext>): Pair | undefined {
  return findPair(c.req.param('currency') ?? '', c.req.param('origin') ?? '')
}

export type PairHandler = (c: Context<SiteContext>, pair: Pair) => Response | Promise<Response>

/**
 * Handles the pair of the path, with `keep` (`kept`). Paths outside the catalogue are left to other
 * routes before anything is read.
 */
export function ofPair(
  answer: PairHandler,
  keep: MiddlewareHandler<SiteContext>,
): MiddlewareHandler<SiteContext> {
  return async (c, next) => {
    const pair = pairOf(c)
    if (!pair) return next()
    return keep(c, async () => {
      c.res = await answer(c, pair)
    })
  }
}
