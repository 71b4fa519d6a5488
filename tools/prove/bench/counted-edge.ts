import type { Instant } from '../../../shared/argentine-time.ts'
import type { EdgeEnv } from '../../../workers/edge/context.ts'
import { createEdge } from '../../../workers/edge/edge.ts'
import type { Storage } from '../../operate/admin/open-local.ts'
import { countedKv } from './counted-kv.ts'
import { measured } from './measured.ts'

export type CountedEdge = ReturnType<typeof openCountedEdge>

const nothing = async () => new Response(null, { status: 404 })

/** The edge of one isolate, whose every request must succeed. */
export function openCountedEdge(storage: Storage, key: string) {
  const { db, spent, forget } = measured(storage.db)
  const { kv, counts } = countedKv(storage.kv)
  let now: Instant = 0
  const env = {
    BOARD: kv,
    DB: db,
    DATE_READS: { limit: async () => ({ success: true }) },
    DATE_READ_LIMIT: '20',
    COMPATIBILITY: 'on',
    COMPATIBILITY_DAYS: { limit: async () => ({ success: true }) },
    UNKNOWN_KEYS: { limit: async () => ({ success: true }) },
    UNKNOWN_KEY_LIMIT: '30',
    DAILY_PRIVATE_BUDGET: '20000',
  } as unknown as EdgeEnv
  let after: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => after.push(work),
    passThroughOnException() {},
    props: {},
  } as unknown as ExecutionContext
  const edge = createEdge({ now: () => now, site: nothing, random: () => new Uint8Array() })

  return {
    spent,
    forget,
    kv: counts,
    async get(path: string, at: Instant): Promise<Uint8Array> {
      now = at
      const headers = { 'x-api-key': key, 'CF-Connecting-IP': '192.0.2.1' }
      const request = new Request(`https://bench.test${path}`, { headers }) as Parameters<
        typeof edge.fetch
      >[0]
      const response = await edge.fetch(request, env, context)
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      const body = new Uint8Array(await response.arrayBuffer())
      // What goes on after the answer counts with it.
      await Promise.all(after)
      after = []
      return body
    },
  }
}
