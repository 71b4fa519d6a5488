import type { Big } from 'big.js'
import type { Day, Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { Hours } from '../../../shared/market/market-hours.ts'

/** An upstream document: an address and a strict, pure parse. It fetches nothing itself. */
export interface Source {
  /** Unique, kebab-case, starts with the upstream: `ambito-blue`, `bcra-cotizaciones`. */
  name: string
  rhythm: Rhythm
  request(now: Instant): SourceRequest
  /**
   * The readings of a document. Throws a `SourceError` on anything unexpected: a changed page must
   * fail, never read as an empty day. No readings means that the upstream itself reports no data (a
   * weekend at the BCRA). `replayed` marks a recording, whose time stamps do not tell its age.
   */
  parse(body: string, now: Instant, replayed?: boolean): Reading[]
}

export interface SourceRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/**
 * A number as it stands in a document: nothing is chosen, averaged or derived yet
 * (workers/scraper/pairs/derive does that). Each pair says where the data originally comes from
 * (workers/scraper/pairs/pair-sources.ts), because one document repeats several origins.
 */
export type Reading =
  /** The quote of a pair. */
  | { kind: 'quote'; pair: PairKey; buy: Big; sell: Big; stamp?: string }
  /** A number of a day from which pairs are derived: `CER`, `EUR/USD`, `CLP per USD`. */
  | { kind: 'input'; name: string; value: Big; day: Day }
  /** The book of a bond: its last price of the day, best bid and best offer; null when none. */
  | { kind: 'book'; symbol: string; last: Big | null; bid: Big | null; ask: Big | null }
  /** The offer of a bank or an exchange at `time`; `total…` is after its fees. */
  | {
      kind: 'offer'
      by: string
      ask: Big
      bid: Big
      totalAsk: Big
      totalBid: Big
      time: Instant
    }
  /** A futures contract; `month` is `YYYY-MM`, `day` the trade date where the document has one. */
  | { kind: 'future'; month: string; buy: Big; sell: Big; day?: Day }
  /** A bank's wholesale table of a day, for invoices; prices are decimals for all their units. */
  | {
      kind: 'wholesale'
      day: Day
      publishedAt: Instant | null
      rates: { currency: string; units: number; buy: string; sell: string }[]
    }
  /** The days of a year in the public list of holidays. */
  | { kind: 'holidays'; year: number; days: { day: Day; kind: string; name: string }[] }
  /** A row that the document usually has, and that is now missing or zero. `collect` logs it. */
  | { kind: 'missing'; row: string }

/**
 * When a source is requested in live mode (demo and replays request every source in every cycle).
 */
interface Rhythm {
  everyMinutes: number
  hours: Hours
}

/**
 * Why a source failed: `timeout` (8 s, body included), `network`, `http` (not 200), `too_large`
 * (over 2 MiB), `format` (not the document that we know), `empty` (the known document without the
 * rows that it must have), `internal` (a fault of our own code).
 */
export type FailureClass =
  | 'timeout'
  | 'network'
  | 'http'
  | 'too_large'
  | 'format'
  | 'empty'
  | 'internal'

/** A source's failure. Its message is ours: it never quotes the document. */
export class SourceError extends Error {
  readonly failure: FailureClass

  constructor(failure: FailureClass, message: string) {
    super(message)
    this.name = 'SourceError'
    this.failure = failure
  }
}

export function formatError(message: string): SourceError {
  return new SourceError('format', message)
}

export function emptyError(message: string): SourceError {
  return new SourceError('empty', message)
}
