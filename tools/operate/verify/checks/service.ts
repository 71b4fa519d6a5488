import * as z from 'zod'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { check, type Check } from '../check.ts'
import { expectAnswer, expectError, parseJson, read, readJson, that } from '../expect.ts'
import { quoteWithChange, serviceStatus } from '../forms.ts'

const toolAnswer = z.object({
  result: z.object({ structuredContent: z.object({ quotes: z.array(quoteWithChange).min(1) }) }),
})
const toolList = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string() })).length(6) }),
})

/** The status, and the interfaces for programs beside the API. */
export const serviceChecks: Check[] = [
  check('status: every pair, its sources, and not down', async ({ ask }) => {
    const answer = readJson('/api/v2/status', await ask('/api/v2/status'), serviceStatus, {
      headers: { 'Cache-Control': 'public, max-age=10' },
    })
    that(answer.pairs.length === PAIRS.length, `it has ${answer.pairs.length} pairs`)
    that(answer.sources.length > 0, 'it has no sources')
    that(answer.status !== 'down', 'it says down: has a cycle run since the deployment?')
  }),
  check('stream: an event for the pair at once, with its id', async ({ ask }) => {
    const path = '/api/v2/stream?pairs=usd/oficial'
    const answer = await ask(path, { until: (text) => /\ndata: .*\n\n/.test(text) })
    expectAnswer(path, answer, { status: 200, type: 'text/event-stream' })
    const [, data] = /^id: \d+-\d+\nevent: quote\ndata: (.*)\n\n/m.exec(answer.text) ?? []
    that(data !== undefined, `${path} begins with no event`)
    const { currency, origin } = read(path, parseJson(path, data), quoteWithChange)
    that(`${currency}/${origin}` === 'USD/OFICIAL', `${path} sends ${currency}/${origin}`)
  }),
  check('stream: a list that is none is 400, a pair outside the catalogue 404', async ({ ask }) => {
    const stream = (pairs: string) => ask(`/api/v2/stream?pairs=${pairs}`)
    expectError('a stream of no pair', await stream('usd'), { status: 400 })
    expectError('a stream of an unknown pair', await stream('usd/nada'), { status: 404 })
  }),
  check('MCP: six tools, and a quote', async ({ ask }) => {
    const call = async (method: string, params: unknown) => {
      const answer = await ask('/api/mcp', {
        method: 'POST',
        headers: { Accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method, params },
      })
      const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' }
      expectAnswer(`MCP ${method}`, answer, { status: 200, headers })
      const text = /^data: (.*)$/m.exec(answer.text)?.[1] ?? answer.text
      return parseJson(`MCP ${method}`, text)
    }
    read('MCP tools/list', await call('tools/list', {}), toolList)
    const quote = { name: 'dollar_quote', arguments: { origin: 'oficial' } }
    read('MCP tools/call', await call('tools/call', quote), toolAnswer)
  }),
]
