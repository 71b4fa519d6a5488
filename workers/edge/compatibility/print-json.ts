/** Older clients read JSON of no stated charset as Latin-1. */
export const PEER_JSON_TYPE = 'application/json; charset=utf-8'

/** JSON as the peers' files have it: two spaces, no line break at the end. */
export function toPeerJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** The same answer, with the charset that the peers state; refusals of ours that are JSON too. */
export function asPeerJson(response: Response): Response {
  if (response.headers.get('Content-Type') === 'application/json') {
    response.headers.set('Content-Type', PEER_JSON_TYPE)
  }
  return response
}
