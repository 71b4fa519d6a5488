import * as fc from 'fast-check'
import { CURRENCIES, type Pair, PAIRS } from '../../../../shared/market/catalog.ts'
import type { Route } from '../route.ts'
import { credential, pair, query, receiverUrl } from '../values.ts'
import { weighted } from '../weighted.ts'
import { keyed, only, RACES, sending } from './private.ts'

const ALERTS = '/api/v2/alerts'
const ONE = `${ALERTS}/{{alert}}`

const codes = ({ currency, origin }: Pair) => ({ currency, origin })
const side = fc.constantFrom('buy', 'sell')
const percent = fc.integer({ min: 1, max: 100_000 }).map((hundredths) => hundredths / 100)

const level = fc
  .tuple(pair, fc.constantFrom('above', 'below'), fc.integer({ min: 1, max: 1_000_000 }))
  .map(([pair, condition, threshold]) => ({ ...codes(pair), condition, threshold }))

const change = fc
  .tuple(pair, percent)
  .map(([pair, threshold]) => ({ ...codes(pair), condition: 'change', threshold }))

/** Two prices of one currency. */
const comparable = CURRENCIES.flatMap((currency) => {
  const some = PAIRS.filter((pair) => pair.currency === currency && pair.valueType === 'money')
  return some.flatMap((one) =>
    some.filter((other) => other !== one).map((other) => [one, other] as const),
  )
})
const gap = fc
  .tuple(fc.constantFrom(...comparable), percent, side)
  .map(([[one, other], threshold, side]) => ({
    ...codes(one),
    condition: 'gap',
    threshold,
    against: { ...codes(other), side },
  }))

const watch = fc.oneof(level, change, gap)

const receiver = fc.oneof(
  fc.record({ url: receiverUrl, receiverAuthorization: credential }, { requiredKeys: ['url'] }),
  fc.constant({ channel: 'email' }),
)

const creation = fc
  .tuple(
    watch,
    receiver,
    fc.record(
      { operationId: fc.constant('{{uuid}}'), side, repeat: fc.boolean(), enabled: fc.boolean() },
      { requiredKeys: ['operationId'] },
    ),
  )
  .map(([watch, receiver, rest]) => ({ ...watch, ...receiver, ...rest }))

const edit = fc
  .tuple(
    fc.option(watch, { nil: {} }),
    fc.record({ side, repeat: fc.boolean(), enabled: fc.boolean() }, { requiredKeys: [] }),
  )
  .map(([watch, rest]) => ({ version: '{{#alertVersion}}', ...watch, ...rest }))

const versioned = fc.constant({ version: '{{#alertVersion}}' })

const deliveries = weighted(
  [
    6,
    query({
      alertId: fc.constant('{{alert}}'),
      status: fc.constantFrom('pending', 'sending', 'failed', 'delivered', 'dead', 'cancelled'),
      limit: fc.integer({ min: 1, max: 50 }).map(String),
    }),
  ],
  [1, fc.constant('?limit=1&cursor={{cursor}}')],
).map((query) => ({ target: `${ALERTS}/deliveries${query}` }))

/** The management of alerts. */
export const alertRoutes: Route[] = [
  keyed(`GET ${ALERTS}`, [200], only(ALERTS)),
  keyed(`POST ${ALERTS}`, [200, 201, 409, 503], sending(ALERTS, creation), 4),
  keyed(`GET ${ALERTS}/{id}`, [200, 404], only(ONE)),
  // A side, or a condition, may not fit what another request made of the alert meanwhile.
  keyed(`PATCH ${ALERTS}/{id}`, [200, 400, ...RACES], sending(ONE, edit), 4),
  keyed(`DELETE ${ALERTS}/{id}`, [200, ...RACES], sending(ONE, versioned)),
  keyed(
    `POST ${ALERTS}/{id}/rotate-secret`,
    [200, ...RACES],
    sending(`${ONE}/rotate-secret`, versioned),
  ),
  keyed(`POST ${ALERTS}/{id}/test`, [202, ...RACES, 503], sending(`${ONE}/test`, fc.constant({}))),
  keyed(`GET ${ALERTS}/deliveries`, [200, 404], deliveries, 3),
]
