import { ConfigError, required } from './config.ts'

/** Our own origins, of which links use the first. Empty when the text is absent or empty. */
export function parsePublicOrigin(text: string | undefined): readonly URL[] {
  return required(text ?? '', 'PUBLIC_ORIGIN')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(readOrigin)
}

/**
 * The origin for links, cookies and checks of a request to `url`: our origin with the same host, or
 * else our first origin. A request cannot add an origin. Without a configured origin, only loopback
 * hosts are accepted.
 */
export function publicOrigin(url: string, text: string | undefined): string {
  const ours = parsePublicOrigin(text)
  const { host, hostname, origin } = new URL(url)
  if (ours.length > 0) return (ours.find((each) => each.host === host) ?? ours[0]!).origin
  return isLoopback(hostname) ? origin : 'http://localhost'
}

/**
 * The origin in a page's canonical address (`rel="canonical"`, the site map): always our first
 * origin, whichever origin serves the page. Without a configured origin, the request's origin.
 */
export function canonicalOrigin(url: string, text: string | undefined): string {
  return parsePublicOrigin(text)[0]?.origin ?? publicOrigin(url, text)
}

/** The origin of links in e-mails and embeds; null if the links would only work on this machine. */
export function linkedOrigin(text: string | undefined): string | null {
  const [first] = parsePublicOrigin(text)
  return first && !isLoopback(first.hostname) ? first.origin : null
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Parses an origin: scheme, host and perhaps a port. Refuses any other part of a URL. */
function readOrigin(entry: string): URL {
  const url = /^https?:\/\/[^\s/?#@\\]+\/?$/i.test(entry) ? URL.parse(entry) : null
  if (!url || !/^(\[.+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.test(url.hostname))
    throw new ConfigError(
      `PUBLIC_ORIGIN must be origins such as https://a.example, separated by commas, and ${entry} is none`,
    )
  return url
}
