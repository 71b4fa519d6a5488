import { headerOf } from '../request.ts'
import { isApi } from './asked.ts'
import type { Rule } from './rule.ts'

/** Paths whose answers nobody may store. */
const PRIVATE =
  /^\/(?:cuenta|api\/account|api\/auth|api\/v2\/(?:webhooks|alerts|auth|history)|api\/mcp)(?:\/|$)/

/** Caching, CORS and the headers of pages. */
export const headersRule: Rule = ({ path, rawPath }, { status, headers }) => {
  const cache = headerOf(headers, 'cache-control') ?? ''
  const isPage = headerOf(headers, 'content-type')?.startsWith('text/html') === true
  const isStored = !cache.includes('no-store')

  return [
    ...(status >= 400 && isStored ? [`${status} without no-store`] : []),
    ...(PRIVATE.test(path) && status !== 204 && isStored ? ['a private answer may be stored'] : []),
    ...(isApi(rawPath) && headerOf(headers, 'access-control-allow-origin') !== '*'
      ? ['an API answer without CORS']
      : []),
    ...(headerOf(headers, 'access-control-allow-credentials') === undefined
      ? []
      : ['CORS with credentials']),
    ...(isPage && !headerOf(headers, 'content-security-policy') ? ['a page without a policy'] : []),
    ...(status >= 300 && status < 400 && status !== 304 && !isOurs(headerOf(headers, 'location'))
      ? ['a redirect to elsewhere']
      : []),
  ]
}

/** A path of ours, or GitHub's sign-in. */
function isOurs(location: string | undefined): boolean {
  return /^(?:\/(?![/\\])|https:\/\/github\.com\/login\/oauth\/authorize\?)/.test(location ?? '')
}
