/** Older clients read JSON of no stated charset as Latin-1. */
export const COMPATIBILITY_JSON_TYPE = 'application/json; charset=utf-8'

/** JSON as the originals print it: two spaces, no line break at the end. */
export function printCompatibilityJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Adds the charset that the originals state to a JSON answer, refusals included. */
export function asCompatibilityJson(response: Response): Response {
  if (response.headers.get('Content-Type') === 'application/json') {
    response.headers.set('Content-Type', COMPATIBILITY_JSON_TYPE)
  }
  return response
}
