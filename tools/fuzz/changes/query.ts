import * as fc from 'fast-check'
import { escaped } from '../grammar/nasty.ts'
import { type Change, change } from './change.ts'

/** Every parameter that some route knows, and some that none does. */
const NAMES = [
  ...'time max_age format from to limit pairs webhookId deliveryId'.split(' '),
  ...'status cursor aviso token desde prueba monto par lado todo'.split(' '),
  ...'code state otro api_key x-api-key __proto__ constructor'.split(' '),
  '',
  '%',
  'a[b]',
]

const name = fc.constantFrom(...NAMES)

/** Ranges that end before they begin, and others that only look right. */
const QUERIES = [
  ...'from=2026-02-01&to=2026-01-01 from={{day:0}}&to={{day:-1}} from={{day:30}}'.split(' '),
  ...'from=0000-01-01&to=9999-12-31 limit=0 limit=501 limit=-1 limit=1e2 limit=NaN'.split(' '),
  ...'limit= limit=010 limit=1&limit=1 time=12:00&time=12:00 time=25:00 time={{day:0}}'.split(' '),
  ...'max_age=-1 max_age=1.5 max_age=NaN max_age=1e400 max_age=9007199254740993'.split(' '),
  ...'cursor=v1:0 cursor=v1: cursor=v1:9007199254740993 cursor=1 status= status=PENDING'.split(' '),
  ...'pairs= pairs=, pairs=usd pairs=usd/ pairs=usd/blue,usd/blue pairs=clp/blue'.split(' '),
  ...'format=xml format=csv&format=csv &&& = ? % %00=%00 a=b;c=d # +'.split(' '),
]

/** Something added to the query, doubled in it, or instead of it. */
export const queryChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(name, escaped).map(([name, value]) => add('parameter added', `${name}=${value}`)),
  fc.constantFrom(...QUERIES).map((text) => add('query added', text)),
  escaped.map((text) => add('query text added', text)),
  fc.tuple(fc.nat(9), escaped).map(([place, value]) =>
    change('parameter value replaced', (request) => {
      const [path = '', query = ''] = request.target.split('?')
      const fields = query.split('&')
      const at = place % fields.length
      const name = fields[at]!.split('=')[0] ?? ''
      return { ...request, target: `${path}?${fields.with(at, `${name}=${value}`).join('&')}` }
    }),
  ),
  fc.constantFrom(100, 3000, 30_000).map((length) => add('long query', `x=${'a'.repeat(length)}`)),
  fc.constantFrom(50, 2000).map((count) => add('many parameters', 'time=1&'.repeat(count))),
)

function add(name: string, text: string): Change {
  return change(name, (request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${text}`,
  }))
}
