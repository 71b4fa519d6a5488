import { couldBeKey } from '../../../shared/access/api-key.ts'

/**
 * The scheme in any letter case, then spaces, then the key (RFC 9110, 11.4). Tabs are no spaces
 * here, and a second value joined by a comma is no key.
 */
const BEARER = /^bearer +([^ ]+)$/i

/**
 * The key that a request presents, in `Authorization: Bearer` or `x-api-key`; null when there is
 * none, when either header holds anything else, or when they differ (decision 17: several or odd
 * credentials). Query and cookies are never looked at.
 */
export function presentedKey(headers: Headers): string | null {
  const authorization = headers.get('Authorization')
  const bearer = authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? '')
  const apiKey = headers.get('x-api-key')

  if (bearer !== null && apiKey !== null && bearer !== apiKey) return null
  const key = bearer ?? apiKey
  return key !== null && couldBeKey(key) ? key : null
}
