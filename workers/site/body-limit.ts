/** The longest body that a request may have, in bytes (decision 39). */
export const MAX_BODY_BYTES = 16_384
