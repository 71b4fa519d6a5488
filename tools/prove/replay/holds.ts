import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Decision } from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'
import type { Hold } from './simulation.ts'

/** The holds of a pair: one for as long as the guard holds the same source back near the same value. */
export class Holds {
  readonly all: Hold[] = []
  #open: Hold | null = null
  #last: Instant | null = null

  note({ publish, held }: Decision, now: Instant) {
    const pause = now - (this.#last ?? now)
    this.#last = now
    const open = this.#open
    if (open) open.minutes += pause / MINUTE_MS
    if (open && held?.candidate.source === open.source && isAbout(held.candidate, open)) return

    if (open) open.releasedAt = publish && isAbout(publish, open) ? now : null
    this.#open = null
    if (!held) return

    const { buy, sell, source } = held.candidate
    const { reason } = held
    this.#open = { at: now, buy, sell, source, reason, releasedAt: null, minutes: 0 }
    this.all.push(this.#open)
  }
}

function isAbout(publish: Candidate, hold: Hold): boolean {
  return (
    Math.abs(publish.sell / hold.sell - 1) < 0.05 && Math.abs(publish.buy / hold.buy - 1) < 0.05
  )
}
