import type { RandomBytes } from '../../shared/crypto/random.ts'

/** Random bytes for keys and secrets, independent of any seed. */
export const randomBytes: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length))

/** FNV-1a with 32 bits. The result may be negative; `>>> 0` makes it positive. */
export function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  return hash
}
