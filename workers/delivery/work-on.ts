import type { Instant } from '../../shared/argentine-time.ts'
import { type Claim, claimDeliveries, type Claims } from '../../shared/db/delivery/claim.ts'
import type { Settled } from '../../shared/db/delivery/settled.ts'
import { announce } from './announce.ts'
import type { Connections } from './connections.ts'
import { MAX_PER_HOST } from './in-flight.ts'
import { log, nameOf } from './log.ts'
import { work, type WorkDeps } from './work.ts'

export interface WorkOnDeps extends WorkDeps {
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * How long after its first attempt an invocation may begin another. What goes on after a handler
 * has returned has 30 seconds on Cloudflare, and an attempt takes ten.
 */
const WORK_ON_MS = 15_000

/**
 * Sends a claimed delivery, and then what its end makes possible: rows that wait for a place at
 * the same host, and the next of its webhook. So a backlog drains without a turn of the queue for
 * each row, and a host's place never stands empty while something waits for it.
 */
export async function workOn(
  deps: WorkOnDeps,
  first: Claim,
  connections: Connections,
): Promise<void> {
  const { now, queue, inFlight } = deps
  const { origin, claimedAt: startedAt } = first
  const waiting: number[] = []
  let claim: Claim | undefined = first

  while (claim) {
    const next = await work(deps, claim, connections)
    if (isDue(next, now())) waiting.push(next.id)
    else if (next) await announce(queue, [next], now())

    claim = undefined
    while (!claim && now() - startedAt <= WORK_ON_MS) {
      // Those who wait longer come before the next of this webhook.
      const [id = waiting.shift()] = inFlight.take(origin, 1)
      if (id === undefined) return

      const claimed = (await claimThese(deps, [id])) ?? { claims: [], heldBack: [] }
      // Full again: whoever has the places takes the rest.
      if (claimed.heldBack.length > 0)
        return hold(deps, [...claimed.heldBack, ...waiting.map((id) => ({ id, origin }))])
      claim = claimed.claims[0]
    }
  }
  await announceNow(deps, [...waiting, ...inFlight.take(origin, Infinity)])
}

/** Rows whose host has enough connections wait for one of them to end. */
export async function hold(deps: WorkOnDeps, heldBack: Claims['heldBack']): Promise<void> {
  const orphans = heldBack.filter(({ id, origin }) => !deps.inFlight.hold(origin, id))
  await announceNow(
    deps,
    orphans.map(({ id }) => id),
  )
}

/** Claims what may be sent of these rows now; null when the database fails. */
export async function claimThese(
  { db, now, newToken, inFlight }: WorkOnDeps,
  ids: readonly number[],
): Promise<Claims | null> {
  try {
    return await claimDeliveries(db, ids, {
      now: now(),
      token: newToken(),
      busy: inFlight.busy(),
      hostLimit: MAX_PER_HOST,
    })
  } catch (error) {
    log('claim_failed', { rows: ids.length, error: nameOf(error) })
    return null
  }
}

async function announceNow({ queue, now }: WorkOnDeps, ids: readonly number[]): Promise<void> {
  const at = now()
  await announce(
    queue,
    ids.map((id) => ({ id, at })),
    at,
  )
}

function isDue(next: Settled['next'], now: Instant): next is NonNullable<Settled['next']> {
  return next !== null && next.at <= now
}
