import type { MiddlewareHandler } from 'hono'
import type { EdgeContext } from '../context.ts'
import { modeHeader } from '../http/answer.ts'
import type { AppDeps } from '../http/route.ts'

/** Marks answers with simulated or replayed prices. Refusals have none, and read no board. */
export function serviceMode({ board }: AppDeps): MiddlewareHandler<EdgeContext> {
  return async function markMode(c, next) {
    await next()
    if (c.res.status >= 400) return
    const mode = await board.mode(c)
    for (const [name, value] of Object.entries(modeHeader(mode))) c.header(name, value)
  }
}
