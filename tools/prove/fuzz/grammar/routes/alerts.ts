import * as fc from 'fast-check'
import { CURRENCIES, type Pair, PAIRS } from '../../../../../shared/market/catalog.ts'
import type { Route } from '../route.ts'
import { credential, pair, receiverUrl } from '../values.ts'
import { managedRoutes } from './private.ts'

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

/** The management of alerts. */
export const alertRoutes: Route[] = managedRoutes({
  path: '/api/v2/alerts',
  token: '{{alert}}',
  version: '{{#alertVersion}}',
  creation,
  edit,
  // A side, or a condition, may not fit what another request made of the alert meanwhile.
  accepts: [400],
  filter: { alertId: fc.constant('{{alert}}') },
})
