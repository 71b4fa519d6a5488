import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAuthority } from '../../../tools/harness/authority.ts'
import { startService, temporaryState } from '../../../tools/harness/service.ts'

const NAME = 'hook.example.com'

it('delivers a signed change to the receiver that stands for a name, TLS verified', async () => {
  const stateDir = temporaryState()
  const authority = createAuthority()
  const authorityFile = join(stateDir, 'authority.pem')
  writeFileSync(authorityFile, authority.own.cert)
  await using receiver = await openReceiver(authority.issue([NAME]))

  const args = ['--demo', '--every', '5', '--receiver', `${NAME}=127.0.0.1:${receiver.port}`]
  const env = { NODE_EXTRA_CA_CERTS: authorityFile }
  await using service = await startService(args, { stateDir, env })
  const key = readFileSync(join(stateDir, 'local-key'), 'utf8').trim()
  const response = await service.get('/api/v2/webhooks', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      operationId: crypto.randomUUID(),
      url: `https://${NAME}/hook?x=1`,
      currency: 'USD',
      origin: 'MAYORISTA',
      enabled: true,
    }),
  })
  expect(response.status).toBe(201)
  const { secret, webhook } = (await response.json()) as { secret: string; webhook: { id: string } }

  await expect.poll(() => receiver.posts.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const { path, headers, body } = receiver.posts[0]!
  expect(path).toBe('/hook?x=1')
  expect(JSON.parse(body)).toMatchObject({
    event: 'rate.updated',
    currency: 'USD',
    origin: 'MAYORISTA',
  })
  expect(headers).toMatchObject({ host: NAME, 'x-service-webhook-id': webhook.id })
  const signed = `${headers['x-service-timestamp']}.${body}`
  const mac = createHmac('sha256', secret).update(signed).digest('hex')
  expect(headers['x-service-signature']).toBe(`sha256=${mac}`)
}, 120_000)

interface Post {
  path: string
  headers: Record<string, unknown>
  body: string
}

async function openReceiver(certificate: { cert: string; key: string }) {
  const posts: Post[] = []
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    posts,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
