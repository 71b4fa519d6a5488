/** The document of a KV text. Null when it is missing, malformed or of another schema. */
export function parseDocument<Document extends { schema: number }>(
  text: string | null,
  schema: Document['schema'],
  isWhole: (document: Partial<Document>) => boolean,
): Document | null {
  if (text === null) return null

  try {
    const document = JSON.parse(text) as Partial<Document> | null
    return document?.schema === schema && isWhole(document) ? (document as Document) : null
  } catch {
    return null
  }
}

/** Seconds that KV caches a value near its reader. KV takes no less. */
export const KV_CACHE_TTL = 30
