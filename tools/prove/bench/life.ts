/** Rows written in the life of a delivery, and the batch of a change that ten thousand follow. */
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { MAX_CONNECTIONS } from '../../../workers/delivery/attempt/connections.ts'
import { claimsOf, claimStatement } from '../../../shared/db/deliveries/claim.ts'
import { RETENTION_MS } from '../../../shared/db/deliveries/open.ts'
import { outboxStatements } from '../../../workers/scraper/db/outbox.ts'
import { PRUNE_CHUNK, pruneChunk } from '../../../workers/delivery/db/prune.ts'
import { deliveredStatements } from '../../../shared/db/deliveries/settle.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { seedWebhooks } from '../harness/seed-webhooks.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { rounded } from './bench.ts'
import { runDemoCycle } from './demo-cycle.ts'
import { measured } from './measured.ts'

const NOW = Date.UTC(2026, 2, 5, 15)
const pair = findPairByKey('usd/bolsa')!
const FOLLOWERS = 10_000

/** Of one delivery. The batch that makes them, and each five minutes, add a few rows to them all. */
const MOST_ROWS = 8 + 10 / PRUNE_CHUNK

/** D1's limits on one statement. */
const STATEMENT_BYTES = 100_000
const PARAMETERS = 100

export const life: Bench = {
  name: 'life',
  summary: 'rows written in the life of a delivery; the batch of a change followed by 10,000',
  method:
    `the engine's own statements on D1: ${PRUNE_CHUNK} deliveries of one change, claimed and settled one by one ` +
    `and ${MAX_CONNECTIONS} at a time, and pruned in one chunk; rows are D1's own count, over the deliveries. ` +
    `Then a cycle with ${FOLLOWERS} webhooks on a pair that moves: the time of its batch, as its caller sees it`,
  run: async (options) => [...(await lifeFigures(options)), ...(await batchFigures(options))],
}

async function followedBy(db: D1Database, count: number): Promise<void> {
  const keyring = openKeyring(`bench:${Buffer.alloc(32, 7).toString('base64')}`)
  await seedWebhooks(db, { count, hosts: ['x.example'], pairId: pair.id, keyring })
}

async function lifeFigures({ progress }: BenchOptions): Promise<Figure[]> {
  progress(`the life of ${PRUNE_CHUNK} deliveries, twice`)
  const [alone, backlog] = [await rowsOfLife(1), await rowsOfLife(MAX_CONNECTIONS)]
  return [...figuresOf('alone', alone), ...figuresOf(`${MAX_CONNECTIONS} at once`, backlog)]
}

function figuresOf(name: string, rows: Record<string, number>): Figure[] {
  const steps = Object.entries(rows).map(([step, value]) => ({
    name: `rows written of a delivery, ${name}: ${step}`,
    value: rounded(value),
  }))
  const whole = rounded(Object.values(rows).reduce((sum, value) => sum + value))
  return [
    ...steps,
    { name: `rows written of a delivery’s life, ${name}`, value: whole, atMost: MOST_ROWS },
  ]
}

/** Rows written for a delivery by each step of its life, when so many share a round trip. */
async function rowsOfLife(atOnce: number): Promise<Record<string, number>> {
  await using storage = await openScratchStorage()
  const { db, spent, forget } = measured(storage.db)
  await followedBy(db, PRUNE_CHUNK)
  const take = () => {
    const { rowsWritten } = spent()
    forget()
    return rowsWritten / PRUNE_CHUNK
  }

  take()
  const [inserted] = await db.batch<{ id: number }>(outbox(db))
  const ids = inserted!.results.map(({ id }) => id)
  if (ids.length !== PRUNE_CHUNK) throw new Error(`${ids.length} deliveries`)
  const made = take()
  let [claimed, settled] = [0, 0]
  for (let start = 0; start < ids.length; start += atOnce) {
    const wanted = { ids: ids.slice(start, start + atOnce), token: `token ${start}` }
    const [answer] = await db.batch([claimStatement(db, wanted, NOW)])
    const claims = claimsOf(answer!, wanted, NOW)
    claimed += take()
    const delivered = claims.map((claim) => ({ claim, code: 204 }))
    await db.batch(deliveredStatements(db, delivered, NOW))
    settled += take()
  }
  const pruned = await pruneChunk(db, NOW + RETENTION_MS)
  if (pruned !== PRUNE_CHUNK) throw new Error(`${pruned} pruned`)
  return { made, claimed, 'settled and counted': settled, pruned: take() }
}

function outbox(db: D1Database): D1PreparedStatement[] {
  const prices = { buy: numberToPrice(1420), sell: numberToPrice(1440) }
  const stamps = { updatedAt: NOW, lastScrapedAt: NOW }
  const quote = { pair, ...prices, source: 'bench', ...stamps, referenceSell: null }
  const previous = { buy: numberToPrice(1410), sell: numberToPrice(1430) }
  const options = { at: NOW, admitted: true, capacity: FOLLOWERS, system: null }
  return outboxStatements(db, [{ quote, previous }], options)
}

async function batchFigures({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const at = NOW
  await runDemoCycle(storage, { at, market: at })
  progress(`making ${FOLLOWERS} webhooks`)
  await followedBy(storage.db, FOLLOWERS)

  const { db, spent, batches, statements } = measured(storage.db)
  const moved = at + 3_600_000
  const { sends } = await runDemoCycle({ ...storage, db }, { at: moved, market: moved })
  const cost = spent()
  const made = await storage.db.prepare('select count(*) as n from deliveries').first<number>('n')
  if (made !== FOLLOWERS) throw new Error(`${made} deliveries`)

  const name = `batch of a change followed by ${FOLLOWERS}`
  const most = (of: (statement: (typeof statements)[number]) => number) =>
    Math.max(...statements.map(of))
  const bytes = most(({ sql }) => Buffer.byteLength(sql))
  return [
    { name, value: Math.round(Math.max(...batches)), unit: 'ms', atMost: 1500 },
    { name: `${name}: round trips of its cycle`, value: cost.roundTrips, atMost: 3 },
    { name: `${name}: sendBatch calls`, value: sends, atMost: Math.ceil(FOLLOWERS / 100) },
    { name: `${name}: rows written`, value: cost.rowsWritten, atMost: 3 * FOLLOWERS + 200 },
    { name: `${name}: rows read`, value: cost.rowsRead, atMost: 6 * FOLLOWERS + 200 },
    { name: `${name}: largest statement`, value: bytes, unit: 'bytes', atMost: STATEMENT_BYTES },
    {
      name: `${name}: parameters`,
      value: most(({ parameters }) => parameters),
      atMost: PARAMETERS,
    },
  ]
}
