/** A browser's headers, always the same: some upstreams refuse other clients. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

export const PAGE_HEADERS = {
  'User-Agent': USER_AGENT,
  Accept: 'text/html',
  'Accept-Language': 'es-AR,es;q=0.9',
}

export const JSON_HEADERS = { Accept: 'application/json' }
