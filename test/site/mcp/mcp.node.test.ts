import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { type Service, startService } from '../../../tools/prove/harness/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService(['--demo', '--no-backfill'])
})
afterAll(() => service[Symbol.asyncDispose]())

/** What the tools say, for looking into. */
interface Answer {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: { mode: string; quotes: { sell: number; origin: string }[] }
}

describe.each(['legacy', 'auto'] as const)('the official client, %s', (mode) => {
  let client: Client
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as Answer

  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`)))
  })
  afterAll(() => client.close())

  it('finds the six tools', async () => {
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(6)
    expect(client.getServerVersion()?.name).toBe('cotizaciones')
    expect(client.getInstructions()).toContain('mercado cambiario argentino')
  })

  it('reads what the API serves, and checks it against the schemas', async () => {
    const all = await call('all_quotes')
    expect(all.structuredContent).toMatchObject({ mode: 'demo' })
    expect(all.structuredContent!.quotes).toHaveLength(PAIRS.length)

    const blue = await call('dollar_quote', { origin: 'blue' })
    const api = await (await service.get('/api/v2/usd/blue')).json()
    expect(blue.structuredContent!.quotes).toEqual([api])
  })

  it('reads a date, and gets refusals as tool errors', async () => {
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
    const past = await call('quote_at_date', { date: today, currency: 'usd', origin: 'blue' })
    expect(past.structuredContent!.quotes[0]).toMatchObject({ origin: 'BLUE', sameDay: true })

    const future = await call('quote_at_date', { date: '2999-01-01', currency: 'usd' })
    expect(future).toMatchObject({
      isError: true,
      content: [{ text: 'La fecha no puede ser posterior a hoy' }],
    })
  })
})
