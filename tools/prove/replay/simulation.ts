/** What a replay did: the values it published, and those that the guard held back. */
import type { Instant } from '../../../shared/argentine-time.ts'

export interface Publication {
  at: Instant
  buy: number
  sell: number
  source: string
}

export interface Hold extends Publication {
  reason: string
  /** When the held value, or where it had moved, was published; null when it never was. */
  releasedAt: Instant | null
  /** How long it lasted, nights included. */
  minutes: number
}

export interface Simulation {
  /** How many sources spoke. */
  sources: number
  publications: Publication[]
  holds: Hold[]
}
