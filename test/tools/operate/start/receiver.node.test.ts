import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { createAuthority } from '../../../../tools/support/authority.ts'
import { openReceiver, receiverOptions } from '../../../../tools/support/receiver.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'

const WEBHOOKS = '/api/v2/webhooks'

const authority = createAuthority()

/** Receivers by name, with the certificate that each shows. */
const CERTIFICATES = {
  'hook.example.com': authority.issue(['hook.example.com']),
  'wrong.example.com': authority.issue(['other.example.com']),
  'unknown.example.com': createAuthority().issue(['unknown.example.com']),
}
const posts: { name: string; headers: IncomingHttpHeaders; body: string }[] = []
const closing = new AsyncDisposableStack()
let service: Service

beforeAll(async () => {
  const ports: Record<string, number> = {}
  for (const [name, certificate] of Object.entries(CERTIFICATES)) {
    const receiver = await openReceiver(certificate, (headers, body, response) => {
      posts.push({ name, headers, body: String(body) })
      response.writeHead(204).end()
    })
    ports[name] = closing.use(receiver).port
  }
  const { args, env } = receiverOptions(authority, closing.use(openScratch()).path, ports)
  const demo = ['--demo', '--no-backfill', '--every=5']
  service = closing.use(await startService([...demo, ...args], { env }))
})
afterAll(() => closing.disposeAsync())

async function ask(path: string, body?: object): Promise<any> {
  const key = service.lines.find((line) => line.startsWith('key '))!.slice('key '.length)
  const response = await service.get(path, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

function subscribe(name: string) {
  const wanted = { currency: 'USD', origin: 'MAYORISTA', enabled: true }
  const operationId = crypto.randomUUID()
  return ask(WEBHOOKS, { url: `https://${name}/hook?x=1`, operationId, ...wanted })
}

it('a signed change comes to the receiver that stands for a name, TLS verified', async () => {
  const { secret, webhook } = await subscribe('hook.example.com')
  await expect.poll(() => posts.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const { name, headers, body } = posts[0]!
  expect(JSON.parse(body)).toMatchObject({
    event: 'rate.updated',
    currency: 'USD',
    origin: 'MAYORISTA',
  })
  expect(headers).toMatchObject({ host: name, 'x-service-webhook-id': webhook.id })
  const signed = `${headers['x-service-timestamp'] as string}.${body}`
  const mac = createHmac('sha256', secret).update(signed).digest('hex')
  expect(headers['x-service-signature']).toBe(`sha256=${mac}`)
})

it.each(['wrong.example.com', 'unknown.example.com'])(
  'a certificate that is not for the name, or of nobody known, is refused: %s',
  async (name) => {
    const { webhook } = await subscribe(name)
    await ask(`${WEBHOOKS}/${webhook.id}/test`, {})
    const errors = async () => {
      const { deliveries } = await ask(`${WEBHOOKS}/deliveries?webhookId=${webhook.id}`)
      return deliveries.map(({ errorType }: { errorType: string }) => errorType)
    }
    await expect.poll(errors).toContain('network')
    expect(posts.filter((post) => post.name === name)).toEqual([])
  },
)
