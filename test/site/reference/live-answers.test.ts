/** Every answer that the contract's documents declare, but those of webhooks. */
import { it } from 'vitest'
import { MAX_PER_CLIENT } from '../../../workers/edge/stream/stream-slots.ts'
import { seedAccount } from '../../support/accounts.ts'
import { type Documented, operationOf, ofContract, pathOf } from '../../support/documented.ts'
import { openEdge } from '../../support/edge.ts'
import { failing } from '../../support/failing-database.ts'
import { art } from '../../support/instant.ts'
import { seedPoints } from '../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../support/seed.ts'
import { seeEveryAnswer } from '../../support/seen-answers.ts'
import { times } from '../../support/webhook-client.ts'

const NOW = art('2026-03-03 12:00')
const BROKEN_KV = { get: () => Promise.reject(new Error('out of reach')) }

const operations = ofContract.filter(({ path }) => !path.startsWith('/api/v2/webhooks'))
const isPrivate = ({ security }: Documented) => security!.length > 0
const hasParameter = (name: string) => (operation: Documented) =>
  operation.path.includes(`{${name}}`)

const current = operations.filter(
  ({ tags, operationId }) =>
    operationId !== 'streamQuotes' && ['Cotizaciones actuales', 'Generación 1'].includes(tags[0]!),
)
const stream = operationOf('streamQuotes')
const dated = operations.filter(({ tags }) => tags[0] === 'Por fecha')
const history = operations.filter(({ tags }) => tags[0] === 'Historial')
const privates = operations.filter(isPrivate)

const expectAnswer = seeEveryAnswer(operations)

async function openSeeded() {
  const quotes = [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL', { referenceSell: null })]
  await seedBoard(NOW, { quotes, sources: [] })
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420], ['2026-03-02 11:55', 1410, 1430])
  return openEdge({ now: NOW })
}

it('current reads: 200, 304, 404 and 503', async () => {
  const edge = await openSeeded()
  const broken = openEdge({ now: NOW, env: { BOARD: BROKEN_KV, DB: failing('down') } as never })

  for (const operation of current) {
    const path = pathOf(operation)
    const first = await edge.fetch(path)
    const headers = { 'If-None-Match': first.headers.get('ETag')! }
    await expectAnswer(operation, first, 200)
    await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
    await expectAnswer(operation, await broken.fetch(path), 503)
    if (!hasParameter('currency')(operation)) continue

    const unknown = pathOf(operation, { currency: 'xyz' })
    await expectAnswer(operation, await edge.fetch(unknown), 404)
    const asJson = await edge.fetch(unknown, { headers: { Accept: 'application/json' } })
    await expectAnswer(operation, asJson, 404)
  }
  const status = operationOf('readStatus')
  await expectAnswer(status, await edge.fetch(status.path), 200)
  await expectAnswer(status, await broken.fetch(status.path), 200)
})

it.each(dated.map((operation) => [operation.operationId, operation] as const))(
  'dates, %s: 200, 304, 400, 404, 429 and 503',
  async (_, operation) => {
    const edge = await openSeeded()
    const path = pathOf(operation)
    const first = await edge.fetch(path)
    const headers = { 'If-None-Match': first.headers.get('ETag')! }
    await expectAnswer(operation, first, 200)
    await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
    await expectAnswer(operation, await edge.fetch(`${path}?format=csv`), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?max_age=0`), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?otro=1`), 400)
    const before = pathOf(operation, { date: '2020-01-01' })
    await expectAnswer(operation, await edge.fetch(before), 200)
    if (hasParameter('currency')(operation))
      await expectAnswer(operation, await edge.fetch(pathOf(operation, { currency: 'xyz' })), 404)

    const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
    await expectAnswer(operation, await broken.fetch(path), 503)
    const flood = await times(21, () => edge.fetch(path))
    await expectAnswer(operation, flood.at(-1)!, 429)
  },
)

it('the stream: 200, 400, 404, 429 and 503', async () => {
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] }) // its object has the real clock
  const edge = openEdge({ now: Date.now() })
  const opened = await times(MAX_PER_CLIENT, () => edge.fetch(stream.path))
  const refused = await edge.fetch(stream.path)
  await expectAnswer(stream, await beginning(opened[0]!), 200)
  await expectAnswer(stream, refused, 429)
  await Promise.all(opened.slice(1).map(({ body }) => body?.cancel()))

  await expectAnswer(stream, await edge.fetch(`${stream.path}?pairs=usd`), 400)
  await expectAnswer(stream, await edge.fetch(`${stream.path}?pairs=usd/xyz`), 404)
  const QUOTE_STREAM = { getByName: () => ({ fetch: () => Promise.reject(new Error('down')) }) }
  const broken = openEdge({ now: NOW, env: { QUOTE_STREAM } as never })
  await expectAnswer(stream, await broken.fetch(stream.path), 503)
})

it('history and the key check: 200, 400 and 404', async () => {
  const edge = await openSeeded()
  const { key } = await seedAccount()
  const headers = { 'x-api-key': key }

  for (const operation of history) {
    const path = pathOf(operation)
    await expectAnswer(operation, await edge.fetch(path, { headers }), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?format=csv`, { headers }), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?limit=0`, { headers }), 400)
    const unknown = pathOf(operation, { currency: 'xyz' })
    await expectAnswer(operation, await edge.fetch(unknown, { headers }), 404)
  }
  const check = operationOf('checkKey')
  await expectAnswer(check, await edge.fetch(check.path, { headers }), 200)
})

it('the gate: 401, 429 and 503 on every private route', async () => {
  const edge = await openSeeded()
  const { key } = await seedAccount()
  const ask = (operation: Documented, headers: Record<string, string>, at = edge) =>
    at.fetch(pathOf(operation), { method: operation.method, headers })

  for (const operation of privates) await expectAnswer(operation, await ask(operation, {}), 401)

  const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
  for (const operation of privates)
    await expectAnswer(operation, await ask(operation, { 'x-api-key': key }, broken), 503)

  const spent = openEdge({ now: NOW, env: { DAILY_PRIVATE_BUDGET: '1' } as never })
  await ask(operationOf('checkKey'), { 'x-api-key': key }, spent)
  await expectAnswer(
    operationOf('checkKey'),
    await ask(operationOf('checkKey'), { 'x-api-key': key }, spent),
    503,
  )

  const path = pathOf(operationOf('listHistory'))
  await times(60, () => edge.fetch(path, { headers: { 'x-api-key': key } }))
  for (const operation of privates)
    await expectAnswer(operation, await ask(operation, { 'x-api-key': key }), 429)
})

it('a method that is none of a route’s: 405 on every one', async () => {
  const edge = await openSeeded()
  const { key } = await seedAccount()
  const headers = { 'x-api-key': key }
  for (const operation of operations) {
    const path = pathOf(operation)
    await expectAnswer(operation, await edge.fetch(path, { method: 'PUT', headers }), 405)
  }
})

/** The first bytes of an answer without end, as an answer. */
async function beginning({ body, status, headers }: Response) {
  const reader = body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new Response(value ?? null, { status, headers })
}
