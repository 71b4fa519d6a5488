/** A destination under examination, as the parser read it. */
export interface Candidate {
  url: URL
  /** The parser's host: lower case, punycode, and an IPv6 address without its brackets. */
  host: string
  /** Whether the host is an IP address rather than a name. */
  isAddress: boolean
  /** This service's own hosts, in the parser's form. */
  ownHosts: readonly string[]
}

/** On the text alone, before the parser, which repairs much of what must be refused. */
export interface TextRule {
  name: string
  /** For the owner: a Spanish sentence without final stop. */
  reason: string
  refuses(raw: string): boolean
}

export interface HostRule {
  name: string
  reason: string
  refuses(candidate: Candidate): boolean
}

/** Why a destination is refused: a stable name, and the sentence for its owner. */
export interface DestinationRefusal {
  rule: string
  reason: string
}
