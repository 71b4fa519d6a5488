/** Seconds that KV keeps a value near its reader: the least that it takes. */
export const KV_CACHE_TTL = 30
