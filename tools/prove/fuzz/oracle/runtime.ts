import type { WireAnswer } from '../wire/read-answer.ts'

/** The exact answers of workerd itself to what is not HTTP or has no usable URL. */
const REFUSALS: readonly (readonly [status: number, body: string])[] = [
  [400, 'invalid HTTP version parsed'],
  [400, 'invalid HTTP header parsed'],
  [400, 'invalid URI'],
  [400, 'Bad Request'],
  [414, 'URI too long'],
  [415, 'Unsupported Media Type'],
  [431, ''],
  [500, 'Internal Server Error'],
  [501, 'ERROR: Unrecognized request method.'],
]

/**
 * Whether an answer is of the platform's server of static files, which takes GET and HEAD, and
 * several slashes for one.
 */
export function isOfAssets(path: string, { status, body }: WireAnswer): boolean {
  return /^\/+static\//.test(path) && status === 405 && body.length === 0
}

/** What the local runtime's front says of an invalid URL. No deployment has that front. */
const FRONT =
  /^TypeError: Fetch API cannot load: .*\n\s+at Object\.fetch \(file:.*\/miniflare\/dist\//

/** Whether the runtime itself made the answer. HEAD shows no text. */
export function isOfRuntime(method: string, { status, body }: WireAnswer): boolean {
  const text = body.toString()
  if (status === 500 && FRONT.test(text)) return true
  return REFUSALS.some(
    ([code, words]) => code === status && (words === text || (method === 'HEAD' && text === '')),
  )
}
