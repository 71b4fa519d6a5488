/** What the proof of the open data takes and answers. */
import type { Currency, Origin } from './types.ts'

export interface RecordOptions {
  /** The `kid` of each key to believe; without them any key that the service lists. */
  keys?: readonly string[] | undefined
  /** The Argentine day from which on to walk; without it the whole chain. */
  since?: string | undefined
  /** Days whose files are fetched and checked too. */
  days?: readonly string[] | undefined
  /** Whether the files of the last night are fetched and checked; true when left out. */
  files?: boolean | undefined
}

/** Days in a row that a manifest says were rewritten. */
export interface RewrittenDays {
  from: string
  to: string
  /** Of the corrections that reach them; none when an import changed them. */
  reasons: string[]
  /** The manifest that says so, and when it was made. */
  manifest: string
  builtAt: string
}

export interface RecordProblem {
  /**
   * `missing`: not there; `altered`: other bytes than were named; `out_of_order`: not the manifest
   * before; `wrong_signature`; `unknown_key`: of a key that is not listed or not believed; `unsigned`,
   * where keys were given; `unnamed_change`: a day that is another one, and no manifest says so.
   */
  kind:
    | 'missing'
    | 'altered'
    | 'out_of_order'
    | 'wrong_signature'
    | 'unknown_key'
    | 'unsigned'
    | 'unnamed_change'
  /** The manifest, the file or the day. */
  name: string
}

export interface RecordReport {
  /** Whether no problem was found. */
  holds: boolean
  /** From the last back, the days of the manifests that hold; null when the last does not. */
  from: string | null
  to: string | null
  /** How many manifests were walked, and how many of them are not signed. */
  manifests: number
  unsigned: number
  /** The `kid` of each key that signed. */
  keys: string[]
  /** Oldest first. */
  rewritten: RewrittenDays[]
  problems: RecordProblem[]
}

/** A manifest of `/datos/manifiestos/`. */
export interface RecordManifest {
  version: 1
  number: number
  name: string
  firstDay: string
  lastDay: string
  builtAt: string
  mode: 'live' | 'demo' | 'upstream'
  license: 'CC0-1.0'
  key: string | null
  previous: { name: string; url: string; sha256: string } | null
  files: { name: string; url: string; bytes: number; rows: number; sha256: string }[]
  days: { date: string; sha256: string }[]
  rewritten: { from: string; to: string; reasons: string[] }[]
  corrections: {
    currency: Currency
    origin: Origin
    at: string
    action: 'replace' | 'remove'
    before: { buy: number; sell: number }
    after: { buy: number; sell: number } | null
    reason: string
    madeAt: string
  }[]
}
