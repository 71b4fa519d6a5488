/** The longest body that a request may have, in bytes (decision 39: bodies and their refusals). */
export const MAX_BODY_BYTES = 16_384
