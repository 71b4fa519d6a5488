import { type Instant, SECOND_MS } from '../argentine-time.ts'
import { DeadlinePassed, withDeadline } from '../deadline.ts'
import { logFailure } from '../log.ts'
import type { DeliveryMessage, SweepMessage } from './delivery.ts'

export interface DeliveryQueue {
  sendBatch: (hints: Hint[]) => Promise<QueueSendBatchResponse | void>
}

interface Hint {
  body: DeliveryMessage
  delaySeconds: number
}

/** A committed row, and when it is due: at `at`, or now. */
export interface DueRow {
  id: number
  at?: Instant
}

export interface EnqueueDeps {
  queue: DeliveryQueue
  now?: () => Instant
  sleep?: (ms: number) => Promise<void>
}

export interface Enqueued {
  /** Hints that the queue refused at every try. */
  refused: number
  /** The queue's own count of its messages afterwards. Null when it accepted none. */
  backlog: number | null
}

/** `sendBatch` accepts at most this many messages. */
const BATCH = 100

/** Added to each delay: if a hint arrives too early, the delivery waits for the next sweep. */
const MARGIN_MS = 100

/** The longest delay that queues accept, in seconds. */
const MAX_DELAY_SECONDS = 24 * 60 * 60

/** Pauses before each try, in ms. A client may wait for them. */
const PAUSES_MS = [0, 200, 800]

/** A queue that does not answer within this time counts as hanging, and gets no more messages. */
const ANSWER_MS = 5 * SECOND_MS

/**
 * Sends a hint for each row, delayed until the row is due. Sends every batch by itself and retries
 * refused batches together, so a queue that is down costs the pauses once, and a queue that hangs
 * costs `ANSWER_MS`. Never rejects: a row without a hint waits for a sweep.
 */
export async function enqueue(
  { queue, now = Date.now, sleep = reallySleep }: EnqueueDeps,
  rows: readonly DueRow[],
): Promise<Enqueued> {
  const startedAt = now()
  const hints = rows.map(({ id, at = startedAt }) => ({
    body: { v: 1 as const, deliveryId: id },
    delaySeconds: delaySeconds(at - startedAt),
  }))
  let batches = inBatches(hints)
  let backlog: number | null = null
  let error: unknown = null

  for (const pauseMs of PAUSES_MS) {
    if (batches.length === 0 || error instanceof DeadlinePassed) break
    if (pauseMs > 0) await sleep(pauseMs)
    const refused: typeof batches = []
    for (const [index, batch] of batches.entries()) {
      try {
        const sent = await withDeadline(ANSWER_MS, () => queue.sendBatch(batch))
        backlog = sent?.metadata?.metrics?.backlogCount ?? backlog
      } catch (thrown) {
        error = thrown
        const hangs = thrown instanceof DeadlinePassed
        refused.push(...(hangs ? batches.slice(index) : [batch]))
        if (hangs) break
      }
    }
    batches = refused
  }

  const refused = batches.flat().length
  if (refused > 0) logFailure('enqueue_failed', error, { rows: refused })
  return { refused, backlog }
}

/** Requests a sweep now, for work without a delivery. Never rejects: a sweep comes every minute. */
export async function askForSweep(queue: Pick<Queue<SweepMessage>, 'send'>): Promise<void> {
  try {
    await withDeadline(ANSWER_MS, () => queue.send({ v: 1, sweep: true }))
  } catch (error) {
    logFailure('enqueue_failed', error, { rows: 0 })
  }
}

function reallySleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function inBatches(hints: readonly Hint[]): Hint[][] {
  return Array.from({ length: Math.ceil(hints.length / BATCH) }, (_, index) =>
    hints.slice(index * BATCH, (index + 1) * BATCH),
  )
}

function delaySeconds(ms: number): number {
  return ms <= 0 ? 0 : Math.min(Math.ceil((ms + MARGIN_MS) / 1000), MAX_DELAY_SECONDS)
}
