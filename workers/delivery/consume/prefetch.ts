import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import type { Ended } from './outcome-statements.ts'

/** How long a delivery of a quick host takes at the most, in milliseconds. */
const QUICK_MS = 200

/** How long a claim may wait for its turn, in milliseconds; then another invocation gets it. */
export const HOLD_MS = 250

/**
 * The claims that one invocation has made before there was a connection for them: as many as it
 * sends at once, each for when one of these attempts ends. So no connection is idle while the
 * database answers, and more rows share its answer. Only for hosts that took the last delivery at
 * once, or the claims would wait.
 */
export class Ahead {
  readonly #quick = new Set<string>()
  /** Hosts whose claims have waited in vain. */
  readonly #stalled = new Set<string>()
  #held: { claim: Claim; since: Instant }[] = []

  get size(): number {
    return this.#held.length
  }

  /** Learns how quick a host is. */
  note({ claim: { origin }, outcome, startedAt, endedAt }: Ended): void {
    if (outcome.status === 'delivered' && endedAt - startedAt <= QUICK_MS) this.#quick.add(origin)
    else this.#quick.delete(origin)
  }

  /**
   * Gives out as many places to wait as attempts are `underWay`, each at a quick host that has room
   * or will have the place of one of these.
   */
  places(
    underWay: readonly string[],
    hasRoom: (origin: string) => boolean,
  ): (origin: string) => boolean {
    let free = underWay.length - this.size

    return (origin) => {
      if (free <= 0 || !this.#quick.has(origin) || this.#stalled.has(origin)) return false
      if (!underWay.includes(origin) && !hasRoom(origin)) return false
      free -= 1
      return true
    }
  }

  add(claim: Claim, since: Instant): void {
    this.#held.push({ claim, since })
  }

  /** The first claim for a host that may have it. */
  next(hasPlace: (origin: string) => boolean): Claim | undefined {
    const index = this.#held.findIndex(({ claim }) => hasPlace(claim.origin))
    return index === -1 ? undefined : this.#held.splice(index, 1)[0]!.claim
  }

  /** Takes away those that wait since before an instant; nothing more is claimed for their hosts. */
  takeBefore(instant: Instant): Claim[] {
    const { old = [], young = [] } = Object.groupBy(this.#held, ({ since }) =>
      since < instant ? 'old' : 'young',
    )
    this.#held = young
    for (const { claim } of old) this.#stalled.add(claim.origin)
    return old.map(({ claim }) => claim)
  }
}

/** Takes one of these out of the list; false when there is none. */
export function takeFrom(list: string[], one: string): boolean {
  const index = list.indexOf(one)
  if (index !== -1) list.splice(index, 1)
  return index !== -1
}
