/** Receivers that want our memory, by turns, and what deliveries to them cost of it. */
import { createAuthority } from '../../tools/support/authority.ts'
import type { AttemptOrder } from './attempt-worker.ts'
import { NAMES, openAttempts, orderTo } from './attempts.ts'
import { ENDLESS, HANGING, POURING } from './faults.ts'
import { startReceiver } from './receiver.ts'

const HOSTILE = [...POURING, ...ENDLESS, ...HANGING]

/** One for the process: what its runtimes trust is read once. */
const authority = createAuthority()

/** Invocations at once, each with one attempt after the other, as a backlog is worked off. */
const INVOCATIONS = 8

/**
 * The most by which 200 hostile deliveries may raise the memory of the runtime. A delivery reads
 * 64 KB at most, and nothing of it is kept; what grows is what V8 has not collected yet, some
 * 100 KB for each. Were one body kept whole, that one alone would pass it.
 */
export const FLAT_BYTES = 64 * 1024 * 1024

/** A runtime, and the receivers that it delivers to. */
export async function openHostile(by: AttemptOrder['by']) {
  let turn = 0
  const receiver = await startReceiver(authority.issue(NAMES), (...connection) =>
    HOSTILE[turn++ % HOSTILE.length]![1](...connection),
  )
  const attempts = await openAttempts(authority)

  return {
    receiver,
    resident: attempts.resident,
    /** Makes so many deliveries, a multiple of eight; how many of them came to the receivers. */
    async deliver(count: number): Promise<number> {
      const order = orderTo(receiver.port, { by, deadlineMs: 300 })
      const orders = Array.from({ length: count / INVOCATIONS }, () => order)
      const before = receiver.requests.length
      await Promise.all(Array.from({ length: INVOCATIONS }, () => attempts.make(orders)))
      return receiver.requests.length - before
    },
    async [Symbol.asyncDispose]() {
      await attempts[Symbol.asyncDispose]()
      await receiver.close()
    },
  }
}
