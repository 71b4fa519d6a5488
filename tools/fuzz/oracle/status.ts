import { headerOf } from '../request.ts'
import { isApi } from './asked.ts'
import type { Rule } from './rule.ts'

/** Server errors are declared ones; refusals bring the headers that say what to do about them. */
export const statusRule: Rule = ({ path }, { status, headers }) => {
  const retryAfter = headerOf(headers, 'retry-after')
  const needsRetry = status === 429 || status === 503
  const api = isApi(path) && path !== '/api/mcp'

  return [
    ...(status >= 500 && status !== 503 ? [`the status is ${status}`] : []),
    ...(needsRetry && !/^[1-9]\d*$/.test(retryAfter ?? '')
      ? [`${status} without a Retry-After in seconds`]
      : []),
    ...(api && status === 405 && !headerOf(headers, 'allow') ? ['405 without Allow'] : []),
    ...(api && status === 401 && headerOf(headers, 'www-authenticate') !== 'Bearer'
      ? ['401 without WWW-Authenticate']
      : []),
  ]
}
