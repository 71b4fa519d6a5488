import * as fc from 'fast-check'
import { CURRENCIES } from '../../../../../shared/market/catalog.ts'
import { route, type Route } from '../route.ts'
import { pastDay, time } from '../values.ts'

const currency = fc.constantFrom(...CURRENCIES.map((code) => code.toLowerCase()))

const call = (name: string, args: fc.Arbitrary<object>) =>
  args.map((args) => ({ method: 'tools/call', params: { name, arguments: args } }))

const message = fc.oneof(
  fc.constant({
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'fuzz', version: '1' },
    },
  }),
  fc.constant({ method: 'ping' }),
  fc.constant({ method: 'tools/list', params: {} }),
  call('all_quotes', fc.constant({})),
  call('dollar_quote', fc.constantFrom({}, { origin: 'blue' }, { origin: 'BOLSA' })),
  call('currency_quote', fc.record({ currency })),
  call(
    'convert_amount',
    fc.record(
      {
        amount: fc.constantFrom('100', '1500.50', '-1'),
        from: fc.constant('usd'),
        to: fc.constant('ARS'),
        side: fc.constantFrom('sell', 'buy', 'mid'),
        date: pastDay,
      },
      { requiredKeys: ['amount', 'from', 'to'] },
    ),
  ),
  call(
    'invoicing_rate',
    fc.record(
      { currency: fc.constantFrom('usd', 'EUR'), date: pastDay },
      { requiredKeys: ['currency'] },
    ),
  ),
  call(
    'quote_at_date',
    fc.record(
      { date: pastDay, currency, time, max_age: fc.nat(10 ** 6) },
      { requiredKeys: ['date', 'currency'] },
    ),
  ),
)

/** The endpoint for agents: JSON-RPC, no key. */
export const mcpRoutes: Route[] = [
  route(
    'POST /api/mcp',
    { accepts: [200], weight: 5 },
    fc.tuple(message, fc.nat(1000)).map(([message, id]) => ({
      target: '/api/mcp',
      headers: [['Accept', 'application/json, text/event-stream'] as const],
      json: { jsonrpc: '2.0', id, ...message },
    })),
  ),
]
