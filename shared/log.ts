/**
 * One JSON line. Ids, outcomes and milliseconds only: never a URL, a secret, a body or an error's
 * message, which may hold any of them.
 */
export function log(event: string, fields: Record<string, string | number | boolean | null>) {
  console.log(JSON.stringify({ event, ...fields }))
}

/** The class of an error, which is all that may be said of one. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
