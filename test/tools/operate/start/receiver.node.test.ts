import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuthority } from '../../../../tools/support/authority.ts'
import { startService } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

const WEBHOOKS = '/api/v2/webhooks'

const authority = createAuthority()

/** Receivers by name, with the certificate that each shows. */
const CERTIFICATES = {
  'hook.example.com': () => authority.issue(['hook.example.com']),
  'wrong.example.com': () => authority.issue(['other.example.com']),
  'unknown.example.com': () => createAuthority().issue(['unknown.example.com']),
}
type Name = keyof typeof CERTIFICATES

let local: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  local = await start()
})
afterAll(() => local?.[Symbol.asyncDispose]())

it('a signed change comes to the receiver that stands for a name, TLS verified', async () => {
  const receiver = local.receivers['hook.example.com']
  const { secret, webhook } = await local.subscribe('hook.example.com')

  await expect.poll(() => receiver.posts.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const { path, headers, body } = receiver.posts[0]!
  expect(path).toBe('/hook?x=1')
  expect(JSON.parse(body)).toMatchObject({
    event: 'rate.updated',
    currency: 'USD',
    origin: 'MAYORISTA',
  })
  expect(receiver.names).toEqual(new Set(['hook.example.com']))
  expect(headers).toMatchObject({ host: 'hook.example.com', 'x-service-webhook-id': webhook.id })
  const signed = `${headers['x-service-timestamp']}.${body}`
  const mac = createHmac('sha256', secret).update(signed).digest('hex')
  expect(headers['x-service-signature']).toBe(`sha256=${mac}`)
})

it.each(['wrong.example.com', 'unknown.example.com'] as const)(
  'a certificate that is not for the name, or of nobody known, is refused: %s',
  async (name) => {
    const { webhook } = await local.subscribe(name)
    expect((await local.ask(`${WEBHOOKS}/${webhook.id}/test`, '{}')).status).toBe(202)

    const errors = async () => {
      const response = await local.ask(`${WEBHOOKS}/deliveries?webhookId=${webhook.id}`)
      const { deliveries } = (await response.json()) as { deliveries: { errorType: string }[] }
      return deliveries.map(({ errorType }) => errorType)
    }
    await expect.poll(errors).toContain('network')
    expect(local.receivers[name].posts).toEqual([])
  },
)

/** The service with its receivers, and its owner's requests. */
async function start() {
  const stateDir = temporaryFolder()
  const authorityFile = join(stateDir, 'authority.pem')
  writeFileSync(authorityFile, authority.own.cert)
  const receivers = Object.fromEntries(
    await Promise.all(
      Object.entries(CERTIFICATES).map(
        async ([name, issue]) => [name, await openReceiver(issue())] as const,
      ),
    ),
  ) as Record<Name, Awaited<ReturnType<typeof openReceiver>>>
  const service = await startService(
    [
      '--demo',
      '--no-backfill',
      '--every=5',
      ...Object.entries(receivers).map(
        ([name, { port }]) => `--receiver=${name}=127.0.0.1:${port}`,
      ),
    ],
    { stateDir, env: { NODE_EXTRA_CA_CERTS: authorityFile } },
  )
  const key = readFileSync(join(stateDir, 'local-key'), 'utf8').trim()

  const ask = (path: string, body?: string) =>
    service.get(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })

  return {
    stateDir,
    receivers,
    ask,
    async subscribe(name: Name) {
      const url = `https://${name}/hook?x=1`
      const body = { url, currency: 'USD', origin: 'MAYORISTA', enabled: true }
      const operationId = crypto.randomUUID()
      const response = await ask(WEBHOOKS, JSON.stringify({ ...body, operationId }))
      expect(response.status).toBe(201)
      return (await response.json()) as { secret: string; webhook: { id: string } }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      for (const receiver of Object.values(receivers)) await receiver[Symbol.asyncDispose]()
    },
  }
}

interface Post {
  path: string
  headers: Record<string, unknown>
  body: string
}

async function openReceiver(certificate: { cert: string; key: string }) {
  const posts: Post[] = []
  /** That connections asked for. */
  const names = new Set<unknown>()
  const server = createServer(certificate, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      posts.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  server.on('secureConnection', ({ servername }) => names.add(servername))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    posts,
    names,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
