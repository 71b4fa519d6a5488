import type { RandomBytes } from '../../shared/crypto/random.ts'

/** Real random bytes, for tests that only need different values. */
export const random: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length))
