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
   * The readings of a document. Throws a `SourceError` for anything unexpected: a changed page must
   * fail, never look like an empty day. An empty list means that the upstream itself reports no
   * data (a weekend at the BCRA). In a recording (`replayed`), time stamps do not show the age.
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
 * A number exactly as the document has it. workers/scraper/pairs/derive chooses, averages and
 * derives later. The provenance is given per pair (workers/scraper/pairs/pair-sources.ts), because
 * one document may repeat several services.
 */
export type Reading =
  /** The quote of a pair. */
  | { kind: 'quote'; pair: PairKey; buy: Big; sell: Big; stamp?: string }
  /** A number of a day from which pairs are derived: `CER`, `EUR/USD`, `CLP per USD`. */
  | { kind: 'input'; name: string; value: Big; day: Day }
  /** The book of a bond: its last price of the day, best bid and best offer; null when none. */
  | { kind: 'book'; symbol: string; last: Big | null; bid: Big | null; ask: Big | null }
  /** The offer of a bank or an exchange at `time`; `total…` is the price after fees. */
  | {
      kind: 'offer'
      by: string
      ask: Big
      bid: Big
      totalAsk: Big
      totalBid: Big
      time: Instant
    }
  /** A futures contract; `month` is `YYYY-MM`, `day` the trade date if the document has it. */
  | { kind: 'future'; month: string; buy: Big; sell: Big; day?: Day }
  /** Banco Nación's wholesale table of a day, for invoices. Prices are for all `units` together. */
  | {
      kind: 'wholesale'
      day: Day
      publishedAt: Instant | null
      rates: { currency: string; units: number; buy: string; sell: string }[]
    }
  /** The days of a year in the public list of holidays. */
  | { kind: 'holidays'; year: number; days: { day: Day; kind: string; name: string }[] }
  /** A usual row of the document that is now missing or zero. `collect` logs the row. */
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

/** A source's failure. The message never quotes the document. */
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
