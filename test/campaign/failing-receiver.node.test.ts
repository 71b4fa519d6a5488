import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createAuthority } from '../../tools/support/authority.ts'
import { startService } from '../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../tools/support/scratch.ts'

const NAME = 'hook.example.com'

interface Delivery {
  type: string
  status: string
  attempts: number
}

it('a receiver that is down: retries, dead, the pause at ten failures, one notice, one sync', async () => {
  const stateDir = temporaryFolder()
  const authority = createAuthority()
  const authorityFile = join(stateDir, 'authority.pem')
  writeFileSync(authorityFile, authority.own.cert)
  let status = 500
  const times = new Map<string, number[]>()
  const server = createServer(authority.issue([NAME]), (request, response) => {
    const id = String(request.headers['x-service-delivery-id'])
    times.set(id, [...(times.get(id) ?? []), Date.now()])
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const args = ['--demo', '--every', '5', '--receiver', `${NAME}=127.0.0.1:${port}`]
  await using service = await startService([...args, '--var', 'DELIVERY_WAITS=1,1,1'], {
    stateDir,
    env: { NODE_EXTRA_CA_CERTS: authorityFile },
  })
  const key = readFileSync(join(stateDir, 'local-key'), 'utf8').trim()
  const ask = async (method: string, path: string, body?: object) => {
    const response = await service.get(`/api/v2/webhooks${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as {
      webhook: { id: string; state: string; enabled: boolean; version: number }
    }
  }
  const { webhook } = await ask('POST', '', {
    operationId: crypto.randomUUID(),
    url: `https://${NAME}/hook`,
    currency: 'USD',
    origin: 'MAYORISTA',
  })
  const read = async () => (await ask('GET', `/${webhook.id}`)).webhook

  await expect
    .poll(async () => (await read()).enabled, { timeout: 150_000, interval: 2500 })
    .toBe(false)
  const rows = query<Delivery>(stateDir, 'select type, status, attempts from deliveries')
  expect(rows.filter(({ status }) => status === 'dead').length).toBeGreaterThanOrEqual(2)
  expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(10)
  expect([...times.values()].flat()).toHaveLength(10)
  expect(query(stateDir, 'select episode from notices')).toHaveLength(1)
  expect(query(stateDir, `select state from subscriptions`)).toEqual([{ state: 'failure' }])
  // The waits of a second, a fifth more or less, and never before their time.
  for (const posts of times.values())
    for (const [index, at] of posts.slice(1).entries())
      expect(at - posts[index]!).toBeGreaterThanOrEqual(790)

  status = 204
  const before = times.size
  const { version } = await read()
  await ask('PATCH', `/${webhook.id}`, { version, enabled: true })
  await expect
    .poll(() => query(stateDir, `select status from deliveries where type = 'sync'`), {
      timeout: 30_000,
      interval: 500,
    })
    .toEqual([{ status: 'delivered' }])
  expect(times.size).toBeGreaterThan(before)
  server.close()
  server.closeAllConnections()
}, 240_000)

/** Reads the service's own database beside it. */
function query<Row = unknown>(stateDir: string, sql: string): Row[] {
  const folder = join(stateDir, 'storage')
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.includes('d1') && path.endsWith('.sqlite') && !path.includes('metadata'),
  )!
  using database = new DatabaseSync(join(folder, file), { readOnly: true })
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }) as Row)
}
