/**
 * A strong ETag of a text: the same bytes always have the same one, on every isolate. 106 bits of
 * two differently seeded hashes (cyrb53, public domain); synchronous, unlike WebCrypto.
 */
export function strongEtag(text: string): string {
  return `"${hash53(text, 0)}${hash53(text, 0x9e3779b9)}"`
}

/**
 * Whether `If-None-Match` names the ETag, by the weak comparison of RFC 9110, section 13.1.2: `W/`
 * is ignored and `*` names any. Tags may contain commas.
 */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true

  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false
}

function hash53(text: string, seed: number): string {
  let h1 = 0xdeadbeef ^ seed
  let h2 = 0x41c6ce57 ^ seed
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    h1 = Math.imul(h1 ^ code, 2654435761)
    h2 = Math.imul(h2 ^ code, 1597334677)
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909)
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909)

  return (4294967296 * (2097151 & h2) + (h1 >>> 0)).toString(36)
}
