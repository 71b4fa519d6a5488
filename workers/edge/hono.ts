import { HonoBase, type HonoOptions } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env } from 'hono/types'

/**
 * Hono with only its most general router. The usual preset adds a faster router, which does not
 * support our patterns and is a fifth of Hono's bytes. The routers of the small presets treat
 * `/status/` as `/status`.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor(options: HonoOptions<E> = {}) {
    super(options)
    this.router = options.router ?? new TrieRouter()
  }
}
