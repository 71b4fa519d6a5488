import { HonoBase, type HonoOptions } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env } from 'hono/types'

/**
 * Hono with the one of its routers that takes all of its patterns. The usual preset brings a
 * second, quicker one too, which does not take ours and is a fifth of Hono's bytes. The small
 * presets' routers read paths differently: to them `/status/` is `/status`.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor(options: HonoOptions<E> = {}) {
    super(options)
    this.router = options.router ?? new TrieRouter()
  }
}
