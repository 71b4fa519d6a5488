import * as fc from 'fast-check'
import { route, type Draft, type Route } from '../route.ts'
import { credential, csv, pair, pairPath, pastDay, query, receiverUrl } from '../values.ts'
import { weighted } from '../weighted.ts'

/** The minute's quota may be spent already. */
const QUOTA = 429
/** Another request may have removed or changed it meanwhile. */
export const RACES = [404, 409]

const limit = fc.integer({ min: 1, max: 500 }).map(String)

/** Ranges in which `from` never follows `to`. */
const historyQuery = fc.oneof(
  query({ from: pastDay, limit, format: csv }),
  query({ to: fc.constantFrom('{{day:0}}', '{{day:-1}}', '{{day:-30}}'), limit, format: csv }),
  query({ from: fc.constant('{{day:-400}}'), to: fc.constant('{{day:0}}'), limit }),
)

const history = (path: string) =>
  fc
    .tuple(pairPath, historyQuery)
    .map(([pair, query]): Draft => ({ target: path.replace('{pair}', pair) + query }))

const WEBHOOKS = '/api/v2/webhooks'
const ONE = `${WEBHOOKS}/{{webhook}}`

export const only = (target: string): fc.Arbitrary<Draft> => fc.constant({ target })
export const sending = (target: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> =>
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

export const versioned = fc.constant({ version: '{{#version}}' })

const deliveryQuery = query({
  webhookId: fc.constant('{{webhook}}'),
  deliveryId: fc.constant('{{delivery}}'),
  status: fc.constantFrom('pending', 'sending', 'failed', 'delivered', 'dead', 'cancelled'),
  limit: fc.integer({ min: 1, max: 50 }).map(String),
})

/** A cursor, which the last page does not have. */
const nextPage = fc.constant('?limit=1&cursor={{cursor}}')

/** A route that needs a key, whose quota may be spent. */
export const keyed = (
  label: string,
  accepts: readonly number[],
  draft: fc.Arbitrary<Draft>,
  weight = 2,
): Route => route(label, { needs: 'key', accepts: [...accepts, QUOTA], weight }, draft)

const deliveries = weighted([6, deliveryQuery], [1, nextPage]).map((query) => ({
  target: `${WEBHOOKS}/deliveries${query}`,
}))

export const privateRoutes: Route[] = [
  keyed('GET /api/v2/{currency}/{origin}/history', [200], history('/api/v2/{pair}/history'), 4),
  keyed('GET /api/v2/history/{currency}/{origin}', [200], history('/api/v2/history/{pair}'), 4),
  keyed('GET /api/v2/auth/check', [200], only('/api/v2/auth/check')),
  keyed(`GET ${WEBHOOKS}`, [200], only(WEBHOOKS)),
  keyed(`POST ${WEBHOOKS}`, [200, 201, 409, 503], sending(WEBHOOKS, creation), 4),
  keyed(`GET ${WEBHOOKS}/{id}`, [200, 404], only(ONE)),
  keyed(`PATCH ${WEBHOOKS}/{id}`, [200, ...RACES], sending(ONE, edit), 4),
  keyed(`DELETE ${WEBHOOKS}/{id}`, [200, ...RACES], sending(ONE, versioned)),
  keyed(
    `POST ${WEBHOOKS}/{id}/rotate-secret`,
    [200, ...RACES],
    sending(`${ONE}/rotate-secret`, versioned),
  ),
  keyed(
    `POST ${WEBHOOKS}/{id}/test`,
    [202, ...RACES, 503],
    sending(`${ONE}/test`, fc.constant({})),
  ),
  keyed(`GET ${WEBHOOKS}/deliveries`, [200, 404], deliveries, 3),
]
