import type Big from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/catalog.ts'

/** An upstream document: an address and a strict, pure parse. It fetches nothing itself. */
export interface Source {
  /** Unique, kebab-case, starts with the upstream: `ambito-blue`, `bcra-cotizaciones`. */
  name: string
  /** Where its data comes from in the end; see `Candidate.provenance`. */
  provenance: string
  rhythm: Rhythm
  request(now: Instant): SourceRequest
  /**
   * The readings of a document. Throws on anything unexpected: a changed page must fail loudly,
   * never read as an empty day.
   */
  parse(body: string, now: Instant): Reading[]
}

export interface SourceRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** A number that a document holds: a pair's quote, or an input that a derived pair is made from. */
export type Reading =
  | { kind: 'quote'; pair: PairKey; buy: Big; sell: Big; stamp?: string }
  | { kind: 'input'; name: string; value: Big; stamp?: string }

/** When a source is asked in live mode (demo and replays ask every source in every cycle). */
export interface Rhythm {
  everyMinutes: number
  /** Argentine minutes of the day; absent: at any hour. */
  from?: number
  to?: number
  /** Business days only: Monday to Friday without holidays. */
  businessDays?: boolean
}
