/**
 * Where deliveries may go: only public HTTPS hosts on port 443 (decision 31: no inner addresses).
 * This part needs no network. It runs when a webhook is created or edited and again at every
 * attempt; address.ts checks the DNS answers at every attempt.
 */
import { parsePublicOrigin } from '../../config/public-origin.ts'
import { addressBytes } from '../../ip-address.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { type Candidate, HOST_RULES, TEXT_RULES } from './rules.ts'

export interface Destination {
  /** Normalised: this URL is stored, shown to its owner and requested. */
  url: string
  /** A name in lower case and punycode, or an IP address without brackets. */
  host: string
  /** Whether `host` is an address, which is not resolved. */
  isAddress: boolean
}

/** Why a destination is refused: a stable name, and the sentence for its owner. */
interface DestinationRefusal {
  rule: string
  reason: string
}

/** The destination of a URL as its owner sent it, or the first rule that refuses it. */
export function checkDestination(
  rawUrl: string,
  ownHosts: readonly string[],
): Result<Destination, DestinationRefusal> {
  const refusedText = TEXT_RULES.find((rule) => rule.refuses(rawUrl))
  if (refusedText) return refuse(named(refusedText))

  const candidate = readCandidate(rawUrl, ownHosts)
  if (!candidate) return refuse({ rule: 'unparseable', reason: 'La URL no es válida' })

  const refusedHost = HOST_RULES.find((rule) => rule.refuses(candidate))
  if (refusedHost) return refuse(named(refusedHost))

  return ok({ url: candidate.url.href, host: candidate.host, isAddress: candidate.isAddress })
}

/**
 * The part of a URL that others than its owner may see: scheme and host, then `/***` when there is
 * a path or query, which for chat webhooks is a credential (decisions 29 and 46: masked
 * destinations).
 */
export function maskDestination(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/***`
}

/** The hosts of `PUBLIC_ORIGIN`, in the form of parsed destinations. */
export function parseHosts(list: string | undefined): string[] {
  return parsePublicOrigin(list).map(hostOf)
}

/** The host of a request, in the same form. It is always one of our own hosts. */
export function requestHost(requestUrl: string): string {
  return hostOf(new URL(requestUrl)).replace(/\.$/, '')
}

function readCandidate(raw: string, ownHosts: readonly string[]): Candidate | null {
  const url = URL.parse(raw)
  if (!url) return null

  const host = hostOf(url)
  const isAddress = addressBytes(host) !== null
  return { url, host, isAddress, ownHosts }
}

function hostOf(url: { hostname: string }): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function named({ name, reason }: { name: string; reason: string }): DestinationRefusal {
  return { rule: name, reason }
}
