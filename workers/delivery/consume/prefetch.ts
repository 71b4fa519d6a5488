import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'

/** How long a delivery of a quick host takes at the most, in milliseconds. */
const QUICK_MS = 200

/** A claim that waits for a slot. */
export interface Prefetched {
  claim: Claim
  since: Instant
}

/**
 * Claims made before there was a slot for them, two behind each attempt. No connection is idle
 * while the database answers, and more rows share a round trip. Only quick hosts are prefetched
 * for, or the claims would wait.
 */
export class Prefetch {
  readonly #quick = new Set<string>()
  /** Hosts whose claims were returned. */
  readonly #stalled = new Set<string>()
  #held: readonly Prefetched[] = []

  get held(): readonly Prefetched[] {
    return this.#held
  }

  /** The hosts for which claims may be prefetched. */
  get hosts(): ReadonlySet<string> {
    return this.#quick
  }

  /** Learns how quick a host is. */
  note({ claim: { host }, outcome, startedAt, endedAt }: CompletedAttempt): void {
    const isQuick = outcome.status === 'delivered' && endedAt - startedAt <= QUICK_MS
    if (isQuick && !this.#stalled.has(host)) this.#quick.add(host)
    else this.#quick.delete(host)
  }

  add(claims: readonly Claim[], since: Instant): void {
    this.#held = [...this.#held, ...claims.map((claim) => ({ claim, since }))]
  }

  remove(claims: readonly Claim[]): void {
    this.#held = this.#held.filter(({ claim }) => !claims.includes(claim))
  }

  /** Claims that waited in vain go back; nothing more is prefetched for their hosts. */
  returned(claims: readonly Claim[]): void {
    this.remove(claims)
    for (const { host } of claims) {
      this.#stalled.add(host)
      this.#quick.delete(host)
    }
  }
}
