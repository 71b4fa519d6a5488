import * as fc from 'fast-check'
import { route, type Draft, type Route } from '../route.ts'
import { credential, csv, pair, pairPath, pastDay, query, receiverUrl } from '../values.ts'
import { weighted } from '../weighted.ts'

/** A minute's quota may be spent by those who came before. */
const QUOTA = 429
/** Somebody else may have removed it, or changed it meanwhile. */
const RACES = [404, 409]

const limit = fc.integer({ min: 1, max: 500 }).map(String)

/** Of the last years, or from one of them on, so that `from` never follows `to`. */
const historyQuery = fc.oneof(
  query({ from: pastDay, limit, format: csv }),
  query({ to: fc.constantFrom('{{day:0}}', '{{day:-1}}', '{{day:-30}}'), limit, format: csv }),
  query({ from: fc.constant('{{day:-400}}'), to: fc.constant('{{day:0}}'), limit }),
)

const history = (make: (pair: string) => string) =>
  fc.tuple(pairPath, historyQuery).map(([pair, query]): Draft => ({ target: make(pair) + query }))

const WEBHOOKS = '/api/v2/webhooks'
const ONE = `${WEBHOOKS}/{{webhook}}`

const only = (target: string): fc.Arbitrary<Draft> => fc.constant({ target })
const sending = (target: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> =>
  json.map((json) => ({ target, json }))

const creation = fc
  .record(
    {
      url: receiverUrl,
      pair,
      operationId: fc.constantFrom('{{uuid}}', '{{uuid}}', '{{uuid}}', '{{operation}}'),
      enabled: fc.boolean(),
      receiverAuthorization: credential,
    },
    { requiredKeys: ['url', 'pair', 'operationId'] },
  )
  .map(({ pair: { currency, origin }, ...rest }) => ({ ...rest, currency, origin }))

const edit = fc
  .record(
    {
      version: fc.constant('{{#version}}'),
      url: receiverUrl,
      pair: fc.oneof(pair),
      enabled: fc.boolean(),
      receiverAuthorization: fc.option(credential),
    },
    { requiredKeys: ['version'] },
  )
  .map(({ pair, ...rest }) =>
    pair ? { ...rest, currency: pair.currency, origin: pair.origin } : rest,
  )

const versioned = fc.constant({ version: '{{#version}}' })

const deliveryQuery = query({
  webhookId: fc.constant('{{webhook}}'),
  deliveryId: fc.constant('{{delivery}}'),
  status: fc.constantFrom('pending', 'sending', 'failed', 'delivered', 'dead', 'cancelled'),
  limit: fc.integer({ min: 1, max: 50 }).map(String),
})

/** A page may be the last one, and then there is no next. */
const nextPage = fc.constant('?limit=1&cursor={{cursor}}')

/** What needs an API key. */
export const privateRoutes: Route[] = [
  route(
    'GET /api/v2/{currency}/{origin}/history',
    { needs: 'key', accepts: [200, QUOTA], weight: 4 },
    history((pair) => `/api/v2/${pair}/history`),
  ),
  route(
    'GET /api/v2/history/{currency}/{origin}',
    { needs: 'key', accepts: [200, QUOTA], weight: 4 },
    history((pair) => `/api/v2/history/${pair}`),
  ),
  route(
    'GET /api/v2/auth/check',
    { needs: 'key', accepts: [200, QUOTA] },
    only('/api/v2/auth/check'),
  ),
  route(`GET ${WEBHOOKS}`, { needs: 'key', accepts: [200, QUOTA] }, only(WEBHOOKS)),
  route(
    `POST ${WEBHOOKS}`,
    { needs: 'key', accepts: [200, 201, 409, QUOTA, 503], weight: 4 },
    sending(WEBHOOKS, creation),
  ),
  route(`GET ${WEBHOOKS}/{id}`, { needs: 'key', accepts: [200, 404, QUOTA] }, only(ONE)),
  route(
    `PATCH ${WEBHOOKS}/{id}`,
    { needs: 'key', accepts: [200, ...RACES, QUOTA], weight: 4 },
    sending(ONE, edit),
  ),
  route(
    `DELETE ${WEBHOOKS}/{id}`,
    { needs: 'key', accepts: [200, ...RACES, QUOTA] },
    sending(ONE, versioned),
  ),
  route(
    `POST ${WEBHOOKS}/{id}/rotate-secret`,
    { needs: 'key', accepts: [200, ...RACES, QUOTA] },
    sending(`${ONE}/rotate-secret`, versioned),
  ),
  route(
    `POST ${WEBHOOKS}/{id}/test`,
    { needs: 'key', accepts: [202, ...RACES, QUOTA, 503] },
    sending(`${ONE}/test`, fc.constant({})),
  ),
  route(
    `GET ${WEBHOOKS}/deliveries`,
    { needs: 'key', accepts: [200, 404, QUOTA], weight: 3 },
    weighted([6, deliveryQuery], [1, nextPage]).map((query) => ({
      target: `${WEBHOOKS}/deliveries${query}`,
    })),
  ),
]
