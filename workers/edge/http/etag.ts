/** Strong entity tags made from the bytes of a body. Web APIs only, so that the hot path can use it. */

const encoder = new TextEncoder()

/** The strong tag of a body, quotes included: 128 bits of its SHA-256. Equal bodies, equal tags. */
export async function strongEtag(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(body))
  const hex = Array.from(new Uint8Array(digest, 0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return `"${hex.join('')}"`
}

/**
 * Whether an `If-None-Match` header names the tag, so that the answer is 304. The comparison is the
 * weak one (RFC 9110, 13.1.2): `W/"x"` matches `"x"`, and `*` matches anything. Tags may hold commas.
 */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true

  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}
