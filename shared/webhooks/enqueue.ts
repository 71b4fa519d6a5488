import { type Announced, type DeliveryQueue, sendInBatches } from './announce.ts'
import type { Instant } from '../argentine-time.ts'
import { log } from '../log.ts'

export interface AnnounceDeps {
  queue: DeliveryQueue
  now: () => Instant
  sleep: (ms: number) => Promise<void>
}

/** A message that came a moment early would find nothing due, and be lost until the next sweep. */
const MARGIN_MS = 100

/** The longest delay that queues know, in seconds. */
const MAX_DELAY_SECONDS = 24 * 60 * 60

/** Milliseconds before a batch that was refused is tried again, while attempts wait for their turn. */
const IN_HASTE = [200]

/** The same in a sweep, which nothing waits for. */
export const PATIENTLY = [100, 400, 1500]

/**
 * Sends a hint for each row at the instant it is due. A queue that refuses costs nothing but time:
 * the sweeper announces what nobody did.
 */
export async function announce(
  { queue, now, sleep }: AnnounceDeps,
  rows: readonly { id: number; at: Instant }[],
  pausesMs: readonly number[] = IN_HASTE,
): Promise<Announced> {
  const startedAt = now()
  const announced = await sendInBatches(
    queue,
    rows.map(({ id, at }) => ({
      body: { v: 1 as const, deliveryId: id },
      delaySeconds: delaySeconds(at - startedAt),
    })),
    pausesMs.map((ms) => () => sleep(ms)),
  )
  if (announced.refused > 0)
    log('announce_failed', { rows: announced.refused, error: announced.error })
  return announced
}

function delaySeconds(ms: number): number {
  return ms <= 0 ? 0 : Math.min(Math.ceil((ms + MARGIN_MS) / 1000), MAX_DELAY_SECONDS)
}
