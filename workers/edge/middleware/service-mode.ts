import type { Context, MiddlewareHandler } from 'hono'
import type { Mode } from '../../../shared/board/board.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { modeHeader } from '../http/cached-response.ts'

type Deps = Pick<AppDeps, 'board' | 'now'>

export function modeOf(c: Context<EdgeContext>, { board, now }: Deps): Promise<Mode> {
  return board.mode(c.env, c.executionCtx as ExecutionContext, now)
}

/** Marks answers with simulated or replayed prices. Refusals have none, and read no board. */
export function serviceMode(deps: Deps): MiddlewareHandler<EdgeContext> {
  return async function markMode(c, next) {
    await next()
    if (c.res.status >= 400) return
    for (const [name, value] of Object.entries(modeHeader(await modeOf(c, deps))))
      c.header(name, value)
  }
}
