/**
 * All Workers together, as deployed: each has its own environment of wrangler.toml, and they meet
 * only in D1, KV, the queue and the service bindings. The outside is Node's `fetch`, which gets
 * every outbound request from the harness.
 */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { createAccount } from '../tools/operate/admin/account.ts'
import { createKey } from '../shared/db/accounts.ts'
import { addDays, argentineDay } from '../shared/argentine-time.ts'
import { CRONS } from '../shared/cron.ts'
import { randomBytes as random } from '../tools/support/random.ts'
import { insertRows } from '../tools/prove/harness/rows.ts'
import { until } from '../tools/support/until.ts'
import { documentAt } from '../tools/operate/demo-market/documents.ts'

const secrets = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  SESSION_SECRET: 'a secret of tests that is long enough to sign with',
}
const harness = createTestHarness({
  workers: ['edge', 'scraper', 'delivery', 'site'].map((env) => ({
    configPath: './wrangler.toml',
    env,
    vars: { WEBHOOK_ADMISSION: 'open' },
    secrets,
  })),
})
const realFetch = globalThis.fetch
const posts: { path: string; headers: Headers; body: string }[] = []

/** The outside: sources of the demo market, a resolver, and one receiver. */
const outside: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const url = new URL(request.url)
  if (url.host === 'cloudflare-dns.com') {
    const isA = url.searchParams.get('type') === 'A'
    return Response.json({ Status: 0, Answer: isA ? [{ type: 1, data: '93.184.215.14' }] : [] })
  }
  if (url.host === 'hooks.example.com') {
    const path = url.pathname
    posts.push({ path, headers: request.headers, body: await request.text() })
    if (path === '/hangs') await new Promise(() => {})
    return new Response(null, { status: 204 })
  }
  const path = `/${url.host}${url.pathname}${url.search}`
  const body = documentAt(path, Date.now(), 1000)
  return new Response(body, { status: body === null ? 404 : 200 })
}

beforeAll(async () => {
  await harness.listen()
  await harness.getWorker('cotizaciones-edge').applyD1Migrations('DB')
  globalThis.fetch = outside
})
afterAll(async () => {
  globalThis.fetch = realFetch
  await harness.close()
})

async function runCron(worker: string, cron: string): Promise<void> {
  await harness.getWorker(`cotizaciones-${worker}`).scheduled({ cron, scheduledTime: new Date() })
}

/** Collects the data of events as they arrive; each arrives whole here. */
async function readEvents(body: AsyncIterable<Uint8Array>, events: string[]): Promise<void> {
  for await (const bytes of body) {
    events.push(...(new TextDecoder().decode(bytes).match(/^data:.*$/gm) ?? []))
  }
}

/**
 * Requests the sources, whose market moves each second, minutes before they are due, until a change
 * is seen: no single second is certain to change every pair.
 */
async function untilMarketChanged(isSeen: () => boolean): Promise<void> {
  const { DB } = (await harness.getWorker('cotizaciones-edge').getEnv()) as { DB: D1Database }
  const step = async () => {
    await DB.prepare(`update scraper_state set sources = '{}'`).run()
    await runCron('scraper', CRONS.cycle)
    return isSeen()
  }
  await expect.poll(step, { timeout: 60_000, interval: 2000 }).toBe(true)
}

/** The API key of a new account. */
async function keyOf(email: string): Promise<string> {
  const { DB } = (await harness.getWorker('cotizaciones-edge').getEnv()) as { DB: D1Database }
  const account = await createAccount(DB, { email, now: Date.now(), random })
  const order = { accountId: account!.id, name: 'prueba', now: Date.now(), random }
  const made = await createKey(DB, order)
  if (!made.ok) throw new Error(made.refusal)
  return made.value.key
}

async function get(path: string, init: Record<string, unknown> = {}) {
  return harness.getWorker('cotizaciones-edge').fetch(`http://localhost${path}`, init)
}

it('scrapes by cron, publishes to KV and answers at the edge', async () => {
  await runCron('scraper', CRONS.cycle)

  const quotes = (await (await get('/api/v2/quotes')).json()) as unknown[]
  expect(quotes).toHaveLength(19)
  expect(await (await get('/api/v2/usd/blue')).json()).toMatchObject({ origin: 'BLUE' })
  expect((await get('/api/v2/date/2020-01-01')).status).toBe(200)
})

it('serves pages from the site through its service binding', async () => {
  const page = await get('/cuenta', { headers: { Accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Type')).toContain('text/html')
  expect((await get('/api/account')).status).toBe(401)
})

it('makes the nightly files by the scraper’s other cron, and the edge answers them', async () => {
  const { DB } = (await harness.getWorker('cotizaciones-edge').getEnv()) as { DB: D1Database }
  await DB.prepare(insertRows('daily_candles', { day: '?1' }))
    .bind(addDays(argentineDay(Date.now()), -2))
    .run()
  await until(
    async () => {
      await runCron('scraper', CRONS.files)
      return (await get('/datos/cotizaciones.parquet')).ok
    },
    { everyMs: 5000, atMostMs: 200_000, failure: 'no files' },
  )

  const file = new Uint8Array(await (await get('/datos/cotizaciones.parquet')).arrayBuffer())
  expect(new TextDecoder().decode(file.slice(0, 4))).toBe('PAR1')
})

/** Creates a webhook of the cripto dollar. */
async function createWebhook(key: string, path: string) {
  const made = await get('/api/v2/webhooks', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      operationId: crypto.randomUUID(),
      url: `https://hooks.example.com${path}`,
      currency: 'USD',
      origin: 'CRIPTO',
    }),
  })
  expect(made.status).toBe(201)
  return (await made.json()) as { webhook: { id: string }; secret: string }
}

it('sends a change to an open stream, and signed through the queue to a receiver', async () => {
  const stream = await get('/api/v2/stream')
  const events: string[] = []
  void readEvents(stream.body as unknown as AsyncIterable<Uint8Array>, events).catch(() => {})
  await expect.poll(() => events.length, { timeout: 10_000 }).toBe(19)
  const { secret } = await createWebhook(await keyOf('ana@example.com'), '/hook')

  await untilMarketChanged(() => events.length > 19 && posts.length > 0)
  expect(events.slice(0, 19)).not.toContain(events[19])
  const { headers, body } = posts[0]!
  expect(JSON.parse(body)).toMatchObject({ event: 'rate.updated', origin: 'CRIPTO' })
  expect(headers.get('User-Agent')).toBe('Service/2.0')
  const message = `${headers.get('X-Service-Timestamp')}.${body}`
  const mac = createHmac('sha256', secret).update(message).digest('hex')
  expect(headers.get('X-Service-Signature')).toBe(`sha256=${mac}`)
})

it('a receiver that hangs does not delay the next message of the queue', async () => {
  const key = await keyOf('eva@example.com')
  const deliver = async (path: string) => {
    const { webhook } = await createWebhook(key, path)
    await get(`/api/v2/webhooks/${webhook.id}/test`, {
      method: 'POST',
      headers: { 'x-api-key': key },
    })
    // Less than the ten seconds after which the delivery gives up a receiver.
    await expect.poll(() => posts.map((post) => post.path), { timeout: 6000 }).toContain(path)
  }
  await deliver('/hangs')
  await deliver('/answers')
})
