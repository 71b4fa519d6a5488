import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import type { SoakContext } from './context.ts'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '../../operate/local/storage.ts'
import type { StoredDelivery } from './compare.ts'

/** Mean time between two kills; short runs have at least three. */
const KILL_MS = 150_000

/** A SIGKILL takes the process and its runtime, or the process alone, whose guard ends the other. */
const HOW = { all: 2, parent: 1 } as const

/** The share of kills that wait for a POST to be under way, and how long they wait. */
const AIMED = 0.7
const AIM_MS = 10_000

/** How often a start is killed too, and when. */
const KILL_AT_START = 0.25
const START_KILL_MS = [1_000, 15_000] as const

export async function killAtRandom(
  { minutes, service, log, kills, cut, stateDir, progress }: SoakContext,
  random: Random,
  { ending, pause }: { ending: AbortSignal; pause: (ms: number) => Promise<void> },
): Promise<void> {
  const mean = Math.min(KILL_MS, (minutes * 60_000) / 4)
  while (true) {
    await pause(Math.min(-Math.log(1 - random.next()) * mean, mean * 3))
    if (random.happens(AIMED)) {
      await Promise.race([log.next(), pause(AIM_MS)])
      await sleep(random.between(0, 30))
    }
    if (ending.aborted) return

    const what = random.weighed(HOW)
    await service.kill(what)
    kills.add(what)
    const inFlight = deliveriesInFlight(stateDir)
    cut.push(inFlight)
    progress(`killed (${what}) with ${inFlight.length} attempts under way`)
    await pause(random.between(0, 4000))
    while (random.happens(KILL_AT_START)) {
      await service.startAndKill(random.between(...START_KILL_MS), random.weighed(HOW))
      kills.add('at a start')
    }
    await service.start()
  }
}

/** Ids of the deliveries that were being sent when the service was killed. */
function deliveriesInFlight(stateDir: string): string[] {
  const sql = `select delivery_id as id from deliveries where status = 'sending'`
  return query<{ id: string }>(stateDir, sql).map(({ id }) => id)
}

export function countWaiting(stateDir: string): number {
  const [row] = query<{ waiting: number }>(
    stateDir,
    `select (select count(*) from deliveries where status in ('pending', 'sending', 'failed'))
       + (select count(*) from subscriptions where state = 'active' and needs_sync = 1
         and synced_revision <> revision) as waiting`,
  )
  return row!.waiting
}

export function storedDeliveries(stateDir: string): StoredDelivery[] {
  return query<StoredDelivery>(
    stateDir,
    `select id, delivery_id as deliveryId, subscription_id as webhookId, type, status, attempts
     from deliveries`,
  )
}

/** Reads the service's own database, beside it or after it was killed. */
function query<Row>(stateDir: string, sql: string): Row[] {
  using database = new DatabaseSync(databaseFile(stateDir)!, { readOnly: true, timeout: 5000 })
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }) as Row)
}
