import type { Context } from 'hono'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import type { SiteContext } from '../context.ts'

/** The pair of a path in any letter case. */
export function pairOf(c: Context<SiteContext>): Pair | undefined {
  return findPair(c.req.param('currency') ?? '', c.req.param('origin') ?? '')
}
