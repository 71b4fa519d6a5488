import type { Instant } from '../../../shared/argentine-time.ts'
import type { EdgeEnv } from '../../../workers/edge/context.ts'
import { createEdge } from '../../../workers/edge/edge.ts'
import type { Storage } from '../../operate/admin/open-local.ts'
import { measured } from './measured.ts'

export type CountedEdge = ReturnType<typeof openCountedEdge>

const nothing = async () => new Response(null, { status: 404 })

/** The edge of one isolate, whose every request must succeed. */
export function openCountedEdge(storage: Storage, key: string) {
  const { db, spent, forget } = measured(storage.db)
  let kvReads = 0
  let kvWrites = 0
  let now: Instant = 0
  const BOARD = {
    get: (name: string) => {
      kvReads++
      return storage.kv.get(name)
    },
    put: (name: string, value: string) => {
      kvWrites++
      return storage.kv.put(name, value)
    },
  } as unknown as KVNamespace
  const env = {
    BOARD,
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
  const edge = createEdge({ now: () => now, site: nothing, manage: nothing })

  return {
    spent,
    forget,
    kvReads: () => kvReads,
    kvWrites: () => kvWrites,
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
