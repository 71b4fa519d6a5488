import document from '../fixtures/destinations.json' with { type: 'json' }

/** What the resolver answers. */
export interface Dns {
  A: string[]
  AAAA: string[]
  /** Absent: `NOERROR`; a text: of both. */
  rcode?: string | { A: string; AAAA: string }
}

/** A URL as an owner would send it, and what is to become of it. */
export interface Vector {
  url: string
  /** With `dnsSequence` that of its last answer. */
  verdict: 'allowed' | 'refused'
  reason: string
  /** What refuses it without the DNS. */
  rule?: string
  /** As it is kept, where that is another text. */
  normalised?: string
  /** Absent: the verdict needs no question to the DNS. */
  dns?: Dns
  /** The answers of one attempt after the other. */
  dnsSequence?: Dns[]
}

export const VECTORS = document as Vector[]
