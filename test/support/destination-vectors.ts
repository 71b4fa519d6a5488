import document from '../fixtures/destinations.json' with { type: 'json' }

/** The resolver's answers. */
export interface Dns {
  A: string[]
  AAAA: string[]
  /** Absent: `NOERROR`. A text: for both questions. */
  rcode?: string | { A: string; AAAA: string }
}

/** A URL as an owner would send it, and the expected verdict. */
export interface Vector {
  url: string
  /** With `dnsSequence`, the verdict for its last answer. */
  verdict: 'allowed' | 'refused'
  reason: string
  /** The rule that refuses it without the DNS. */
  rule?: string
  /** The stored form, if it is another text. */
  normalised?: string
  /** Absent: the verdict needs no DNS question. */
  dns?: Dns
  /** The answers for one attempt after the other. */
  dnsSequence?: Dns[]
}

export const VECTORS = document as Vector[]
