import { existsSync, readFileSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyWebhook } from '../../../../clients/javascript/verify-webhook.ts'
import { createAuthority } from '../../../../tools/support/authority.ts'
import { openReceiver, receiverOptions } from '../../../../tools/support/receiver.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { isAlive } from '../../../../tools/support/process.ts'
import { admin, type Service, startService } from '../../../../tools/prove/harness/service.ts'

const LINK = /^link ana@example\.com http:\/\/127\.0\.0\.1:\d+\/cuenta\/enlace\?\S+$/

const RECEIVER = 'hook.example.com'
const posts: { headers: IncomingHttpHeaders; body: string }[] = []
const closing = new AsyncDisposableStack()
let service: Service

beforeAll(async () => {
  const authority = createAuthority()
  const receiver = await openReceiver(authority.issue([RECEIVER]), (headers, body, response) => {
    posts.push({ headers, body: String(body) })
    response.writeHead(204).end()
  })
  const ports = { [RECEIVER]: closing.use(receiver).port }
  const { args, env } = receiverOptions(authority, closing.use(openScratch()).path, ports)
  service = await startService(['--demo', '--no-backfill', '--every', '5', ...args], { env })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await closing.disposeAsync()
})

it('prints its key once, its mode and its address, one line each', () => {
  const [key, mode, ready, ...more] = service.lines
  expect(key).toMatch(/^key cot_\w{8}_\w{43}$/)
  expect([mode, ready, more]).toEqual(['mode demo', `ready ${service.url}`, []])
  expect(readFileSync(join(service.stateDir, 'local-key'), 'utf8')).toBe(`${key!.slice(4)}\n`)
})

it('lets only their owner read its secrets and its key', () => {
  for (const file of ['local-key', 'secrets.json', 'running.json']) {
    expect(statSync(join(service.stateDir, file)).mode & 0o777, file).toBe(0o600)
  }
})

it('has no history with --no-backfill', async () => {
  expect(existsSync(join(service.stateDir, 'backfill-begun'))).toBe(false)
  expect(service.errors()).not.toContain(' backfill')
  expect(await (await service.get('/api/v2/usd/blue')).json()).toMatchObject({ change: null })
})

it('delivers a signed change to the local receiver of a host name, with TLS verified', async () => {
  const created = await service.get('/api/v2/webhooks', {
    method: 'POST',
    headers: {
      'x-api-key': service.lines[0]!.slice('key '.length),
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      operationId: crypto.randomUUID(),
      url: `https://${RECEIVER}/hook?x=1`,
      currency: 'USD',
      origin: 'MAYORISTA',
    }),
  })
  const { secret, webhook } = (await created.json()) as { secret: string; webhook: { id: string } }
  await expect.poll(() => posts.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const { headers, body } = posts[0]!
  expect(JSON.parse(body)).toMatchObject({ event: 'rate.updated', origin: 'MAYORISTA' })
  expect(headers).toMatchObject({ host: RECEIVER, 'x-service-webhook-id': webhook.id })
  expect(await verifyWebhook(body, headers as Record<string, string>, secret)).toMatchObject({
    valid: true,
  })
})

it('runs a cycle when admin requests it', async () => {
  // The service's own cycle, every five seconds, may overtake it.
  await expect
    .poll(() => admin(['cycle', '--state', service.stateDir]), { timeout: 60_000, interval: 700 })
    .toMatchObject({
      code: 0,
      output: expect.stringMatching(/^(\d+) of \1 sources answered\nchanged: /),
    })
})

it('answers its control paths only with the token', async () => {
  const response = await service.get('/__local/cycle', { method: 'POST', body: '{}' })
  expect(response.status).toBe(404)
})

it('prints the link of a sign-in for programs: one line of standard output', async () => {
  const { status } = await service.get('/cuenta/entrar', {
    method: 'POST',
    body: new URLSearchParams({ email: 'ana@example.com' }),
    headers: { Origin: service.url },
  })
  expect(status).toBe(200)
  const links = () => service.lines.filter((line) => line.startsWith('link '))
  await expect.poll(links).toEqual([expect.stringMatching(LINK)])
  expect(service.errors()).not.toContain('link ana@example.com')
})

it('leaves no process after Ctrl-C', async () => {
  expect(await service.stop('SIGINT')).toBe(0)
  expect(isAlive(service.workerdPid)).toBe(false)
  expect(existsSync(join(service.stateDir, 'running.json'))).toBe(false)
})
