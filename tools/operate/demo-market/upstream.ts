import type { Market } from './market.ts'

export interface Upstream {
  host: string
  contentType: string
  /** The document of an address in the upstream's real format, or null for an unknown one. */
  answer(address: URL, market: Market): string | null
}

export function jsonUpstream(
  host: string,
  answer: (address: URL, market: Market) => unknown,
): Upstream {
  return {
    host,
    contentType: 'application/json',
    answer(address, market) {
      const document = answer(address, market) ?? null
      return document === null ? null : JSON.stringify(document)
    },
  }
}

export function htmlUpstream(
  host: string,
  path: string,
  page: (market: Market) => string,
): Upstream {
  return {
    host,
    contentType: 'text/html; charset=utf-8',
    answer: (address, market) => (address.pathname === path ? page(market) : null),
  }
}
