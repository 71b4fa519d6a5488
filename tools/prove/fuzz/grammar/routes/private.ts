import * as fc from 'fast-check'
import { route, type Draft, type Route } from '../route.ts'
import { credential, csv, pair, pairPath, pastDay, query, receiverUrl } from '../values.ts'
import { weighted } from '../weighted.ts'

/** The minute's quota may be spent already. */
const QUOTA = 429
/** Another request may have removed or changed it meanwhile. */
const RACES = [404, 409]

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

/** A route that needs a key, whose quota may be spent. */
const keyed = (
  label: string,
  accepts: readonly number[],
  draft: fc.Arbitrary<Draft>,
  weight = 2,
): Route => route(label, { needs: 'key', accepts: [...accepts, QUOTA], weight }, draft)

const status = fc.constantFrom('pending', 'sending', 'failed', 'delivered', 'dead', 'cancelled')

interface Managed {
  /** Its route, the token of one of them, and of that one's version. */
  path: string
  token: string
  version: string
  creation: fc.Arbitrary<unknown>
  edit: fc.Arbitrary<unknown>
  /** What an edit may be answered with beside the usual. */
  accepts?: readonly number[]
  /** What deliveries are asked for beside their status and number. */
  filter: Record<string, fc.Arbitrary<string>>
}

const since = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** The routes of what an account makes, edits, tests and deletes. */
export function managedRoutes(managed: Managed): Route[] {
  const { path, token, version, creation, edit, accepts = [], filter } = managed
  const one = `${path}/${token}`
  const versioned = fc.constant({ version })
  const limit = fc.integer({ min: 1, max: 50 }).map(String)
  const deliveries = weighted(
    [6, query({ ...filter, status, limit })],
    // A cursor, which the last page does not have.
    [1, fc.constant('?limit=1&cursor={{cursor}}')],
  ).map((query) => ({ target: `${path}/deliveries${query}` }))

  return [
    keyed(`GET ${path}`, [200], only(path)),
    keyed(`POST ${path}`, [200, 201, 409, 503], sending(path, creation), 4),
    keyed(`GET ${path}/{id}`, [200, 404], only(one)),
    keyed(`PATCH ${path}/{id}`, [200, ...accepts, ...RACES], sending(one, edit), 4),
    keyed(`DELETE ${path}/{id}`, [200, ...RACES], sending(one, versioned)),
    keyed(
      `POST ${path}/{id}/rotate-secret`,
      [200, ...RACES],
      sending(`${one}/rotate-secret`, versioned),
    ),
    keyed(`POST ${path}/{id}/test`, [202, ...RACES, 503], sending(`${one}/test`, fc.constant({}))),
    keyed(
      `POST ${path}/{id}/redeliver`,
      [202, ...RACES, 503],
      sending(`${one}/redeliver`, fc.record({ since })),
    ),
    keyed(
      `POST ${path}/deliveries/{deliveryId}/redeliver`,
      [202, ...RACES, 503],
      sending(`${path}/deliveries/{{delivery}}/redeliver`, fc.constant({})),
    ),
    keyed(`GET ${path}/deliveries`, [200, 404], deliveries, 3),
  ]
}

export const privateRoutes: Route[] = [
  keyed('GET /api/v2/{currency}/{origin}/history', [200], history('/api/v2/{pair}/history'), 4),
  keyed('GET /api/v2/history/{currency}/{origin}', [200], history('/api/v2/history/{pair}'), 4),
  keyed('GET /api/v2/auth/check', [200], only('/api/v2/auth/check')),
  ...managedRoutes({
    path: '/api/v2/webhooks',
    token: '{{webhook}}',
    version: '{{#version}}',
    creation,
    edit,
    filter: { webhookId: fc.constant('{{webhook}}'), deliveryId: fc.constant('{{delivery}}') },
  }),
]
