import * as fc from 'fast-check'
import { escaped } from '../nasty.ts'
import { route, type Route } from '../route.ts'

const ROOTS = [
  '',
  ...'/api /api/v2 /api/v1 /api/v2/date /api/v2/history /api/v2/webhooks /api/mcp'.split(' '),
  ...'/api/account /api/account/keys /api/auth /cuenta /cuenta/claves /cuenta/webhooks'.split(' '),
  ...'/badge /embed /docs /static /openapi /.well-known /usd'.split(' '),
]

/** Paths that no grammar of ours knows, but for how they begin. */
export const nowhere: Route[] = [
  route(
    'GET anywhere',
    { accepts: [200, 301, 303, 304, 400, 401, 404, 405, 410, 429], weight: 5 },
    fc
      .tuple(fc.constantFrom(...ROOTS), fc.array(escaped, { minLength: 1, maxLength: 5 }))
      .map(([root, segments]) => ({ target: [root, ...segments].join('/') })),
  ),
]
