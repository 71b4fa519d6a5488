import { keyedHash } from './keyed-hash.ts'

const encoder = new TextEncoder()

/**
 * The token of a session's forms. Pages of other sites cannot read it, and one session's token
 * does not open another.
 */
export function formToken(secret: string, sessionId: string): Promise<string> {
  return keyedHash(secret, 'form', sessionId)
}

/** Whether a submitted token is the session's, in constant time. */
export async function isFormToken(
  secret: string,
  sessionId: string,
  submitted: string,
): Promise<boolean> {
  const [wanted, given] = await Promise.all([
    digest(await formToken(secret, sessionId)),
    digest(submitted),
  ])
  return crypto.subtle.timingSafeEqual(wanted, given)
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text))
}
