/** Older clients read JSON of no stated charset as Latin-1. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON as the originals of the compatibility addresses print it: two spaces, no line break at the end. */
export function printCompatibilityJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** States the charset of a JSON answer. */
export async function inUtf8(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer
  if (response.headers.get('Content-Type') !== 'application/json') return response

  // The headers of an answer of another Worker cannot be changed.
  const stated = new Response(response.body, response)
  stated.headers.set('Content-Type', JSON_TYPE)
  return stated
}
