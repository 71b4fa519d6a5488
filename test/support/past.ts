import type { Instant } from '../../shared/argentine-time.ts'
import { aroundDatabase } from '../../shared/db/around.ts'
import { historyRevision } from '../../shared/db/quotes/history-revision.ts'
import type { Board } from '../../shared/board/board.ts'
import { openEdge } from './edge.ts'
import { env } from './env.ts'
import { aBoardQuote, seedBoard } from './seed.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

type Options = Omit<Parameters<typeof openEdge>[0], 'now'>

/** What a cycle at `at` leaves: its summary in D1, and a board with the revision of the past. */
export async function seedCycle(at: Instant, changes: Partial<Board> = {}): Promise<void> {
  await env.DB.prepare(
    insertRows(
      'scraper_state',
      { cycle: '?1' },
      'where true on conflict (id) do update set cycle = excluded.cycle',
    ),
  )
    .bind(JSON.stringify({ at, everySeconds: 300, anySourceAnswered: true }))
    .run()
  await seedBoard(at, {
    quotes: [aBoardQuote('USD/BLUE')],
    historyRevision: await historyRevision(env.DB),
    ...changes,
  })
}

let clients = 0

/** An isolate that counts its calls of the database; each read comes from a client of its own. */
export function openCounted(now: Instant, options: Options = {}) {
  let trips = 0
  const DB = aroundDatabase(options.env?.DB ?? env.DB, (call) => {
    trips++
    return call()
  })
  const edge = openEdge({ ...options, now, env: { COMPATIBILITY: 'on', ...options.env, DB } })

  return {
    clock: edge.clock,
    async get(path: string, init: { method?: string; headers?: object } = {}): Promise<Answer> {
      const before = trips
      clients++
      const client = `198.51.${(clients >> 8) % 256}.${clients % 256}`
      const headers = { ...init.headers, 'CF-Connecting-IP': client }
      const response = await edge.fetch(path, { ...init, headers })
      return {
        status: response.status,
        body: await response.text(),
        headers: Object.fromEntries(response.headers),
        trips: trips - before,
      }
    },
  }
}

export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
  /** Calls of the database, also of what went on after the answer. */
  trips: number
}
