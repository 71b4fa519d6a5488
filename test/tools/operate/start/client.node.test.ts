import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as net from 'node:net'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { refusalText } from '../../../../shared/subscriptions/refusal.ts'
import { argentineDay } from '../../../../shared/argentine-time.ts'
import type * as Module from '../../../../clients/javascript/index.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { listen, type Listening } from '../../../../tools/support/listen.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { installPackedClient, type PackedClient } from '../../../support/packed-client.ts'

let service: Service
let packed: PackedClient
let mail: Listening
/** The messages that the mail server got, heads and bodies. */
const messages: string[] = []
let client: Module.Client
let apiKey: string

/** The origin of mailed links. */
const PUBLIC_ORIGIN = 'https://cotizaciones.test'

beforeAll(async () => {
  mail = await listen(net.createServer(takeMail))
  const vars = {
    WEBHOOK_ADMISSION: 'open',
    MAIL_TRANSPORT: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Cotizaciones <hola@cotizaciones.test>',
    PUBLIC_ORIGIN,
  }
  const varArgs = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}=${value}`])
  ;[service, packed] = await Promise.all([
    startService(['--demo', '--no-backfill', '--every', '2', ...varArgs]),
    installPackedClient(),
  ])
  const entry = join(packed.project, 'node_modules/cotizaciones/dist/index.js')
  const { createClient } = (await import(pathToFileURL(entry).href)) as typeof Module
  apiKey = readFileSync(join(service.stateDir, 'local-key'), 'utf8').trim()
  client = createClient({ baseUrl: service.url, apiKey })
})
afterAll(async () => {
  packed[Symbol.dispose]()
  await service[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

/** Acts as a mail server that accepts every message and delivers none. */
function takeMail(socket: net.Socket): void {
  let message: string[] | null = null
  const reply = (line: string) => socket.write(`${line}\r\n`)
  reply('220 stub')
  createInterface({ input: socket }).on('line', (line) => {
    if (message && line !== '.') return void message.push(line)
    if (message) {
      messages.push(message.join('\n'))
      message = null
      return reply('250 taken')
    }
    if (/^DATA/i.test(line)) message = []
    if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
    else reply(message ? '354 go on' : '250 ok')
  })
  socket.on('error', () => {})
}

/** The market moves every two seconds, so the value may change during one reading. */
function whileOneValueHolds(reading: () => Promise<void>): Promise<void> {
  return vi.waitFor(reading, { timeout: 30_000 })
}

describe('the packed client against the running service', () => {
  it('reads quotes, a date, history, candles, conversions, series and rates of invoices', async () => {
    const today = argentineDay(Date.now())
    expect((await client.quotes()).map(pairKey)).toEqual(PAIRS.map(pairKey))
    expect(await client.currency('eur')).toHaveLength(3)
    expect(await client.quotesAsOf(today)).toHaveLength(PAIRS.length)
    expect(await client.quoteAsOf('2001-01-01', 'usd', 'blue')).toMatchObject({ sell: null })
    await whileOneValueHolds(async () => {
      const { sell } = await client.quote('usd', 'blue')
      expect(await client.quoteAsOf(today, 'usd', 'blue')).toMatchObject({ sell, sameDay: true })
      expect((await client.history('usd', 'blue', { limit: 1 }))[0]).toMatchObject({ sell })
      expect((await client.candles('usd', 'blue')).points[0]).toMatchObject({ close: sell })
      const asked = { amount: 2, from: 'usd', to: 'ars', origin: 'blue' }
      expect(await client.convert(asked)).toMatchObject({ side: 'sell', result: sell! * 2 })
    })
    expect(await client.checkKey()).toEqual({ valid: true })

    const pairs = ['usd/blue', 'usd/oficial']
    const { columns, rows, summary } = await client.series({ pairs, from: today, summary: true })
    expect(columns).toEqual(['date', 'USD/BLUE', 'USD/OFICIAL'])
    expect(rows).toEqual([[today, expect.any(Number), expect.any(Number)]])
    expect(summary).toHaveLength(2)
    expect(await client.invoicing('usd')).toMatchObject({ currency: 'USD', date: today })
    expect((await client.invoicingRates({ date: today })).length).toBeGreaterThan(1)
    await expect(client.quotesAsOf('2999-01-01')).rejects.toMatchObject({
      status: 400,
      message: 'La fecha no puede ser posterior a hoy',
    })
  })

  it('receives changes from the stream, each newer than the last one', async () => {
    const before = new Map((await client.quotes()).map((quote) => [pairKey(quote), quote]))
    for await (const quote of client.stream()) {
      const known = before.get(pairKey(quote))!
      if (quote.updatedAt === known.updatedAt) continue
      expect(Date.parse(quote.updatedAt)).toBeGreaterThan(Date.parse(known.updatedAt))
      expect([quote.buy, quote.sell]).not.toEqual([known.buy, known.sell])
      break
    }
  })

  it('manages a webhook from its creation to its removal', async () => {
    const operationId = '0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f'
    const wanted = { url: 'https://example.com/hook', currency: 'USD', origin: 'BLUE' } as const
    const made = await client.webhooks.create({ ...wanted, operationId, enabled: false })
    expect(made).toMatchObject({ secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const again = await client.webhooks.create({ ...wanted, operationId })
    expect(again).toMatchObject({ reconciled: true, webhook: { id: made.webhook.id } })
    const { webhook } = await client.webhooks.get(made.webhook.id)
    expect(webhook).toMatchObject({ url: wanted.url, state: 'manual', version: 1 })

    const edited = await client.webhooks.edit(webhook.id, { version: 1, origin: 'BNA' })
    expect(edited.webhook).toMatchObject({ origin: 'BNA', version: 2 })
    const rotated = await client.webhooks.rotateSecret(webhook.id, 2)
    expect(rotated.secret).not.toBe('secret' in made && made.secret)
    const test = await client.webhooks.test(webhook.id)
    expect(test.status).toBe('pending')
    const { deliveries } = await client.webhooks.deliveries({ webhookId: webhook.id, limit: 5 })
    expect(deliveries).toMatchObject([{ id: test.id, type: 'manual' }])
    await expect(client.webhooks.redeliver(test.deliveryId)).rejects.toMatchObject({
      message: refusalText('webhook', 'delivery_open'),
    })
    await expect(
      client.webhooks.redeliverSince(webhook.id, '2026-01-01T00:00:00Z'),
    ).rejects.toMatchObject({ message: refusalText('webhook', 'paused') })
    expect((await client.webhooks.list()).webhooks).toHaveLength(1)

    await expect(client.webhooks.delete(webhook.id, 1)).rejects.toMatchObject({ status: 409 })
    const { version } = (await client.webhooks.get(webhook.id)).webhook
    expect(await client.webhooks.delete(webhook.id, version)).toEqual({ deleted: true })
  })
})

it('the requests of the README answer', () => {
  const requests = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n(curl .*?)^```$/gms)]
  expect(requests).toHaveLength(3)
  for (const [, code] of requests) {
    const script = code!
      .replaceAll('http://127.0.0.1:8787', service.url)
      .replaceAll('$(cat .state/local-key)', apiKey)
      .replace(/^curl /, 'curl --silent --show-error --fail ')
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(() => JSON.parse(stdout)).not.toThrow()
  }
})

it('sends the link of a sign-in through the mail server that MAIL_TRANSPORT names', async () => {
  const body = new URLSearchParams({ email: 'ana@example.com' })
  const { status } = await service.get('/cuenta/entrar', {
    method: 'POST',
    body,
    headers: { Origin: PUBLIC_ORIGIN },
  })
  expect(status).toBe(200)
  await expect.poll(() => messages.length).toBe(1)
  expect(messages[0]).toContain('From: Cotizaciones <hola@cotizaciones.test>')
  expect(messages[0]).toContain('To: ana@example.com')
  expect(messages[0]).toContain('Auto-Submitted: auto-generated')
  expect(messages[0]).toContain(`${PUBLIC_ORIGIN}/cuenta/enlace`)
  expect(service.lines.join('\n') + service.errors()).not.toContain('link ana@example.com')
})

describe('the examples', () => {
  it('request addresses that answer, for fields that exist', async () => {
    const files = globSync('examples/{home-assistant,static-page,n8n}/*').toSorted()
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    const paths = new Set(
      [...texts.matchAll(/https:\/\/cotizaciones\.example([\w/.]*\w)/g)].map(([, path]) => path!),
    )
    paths.delete('/api/v2')
    expect(paths.size).toBe(4)
    for (const path of paths) expect((await service.get(path)).status, path).toBe(200)

    const sensors = [...texts.matchAll(/'origin', 'eq', '(\w+)'/g)].map(([, origin]) => origin)
    const origins = (await client.currency('usd')).map(({ origin }) => origin)
    expect(sensors).toHaveLength(2)
    expect(origins).toEqual(expect.arrayContaining(sensors))
  })

  it('are an n8n workflow whose nodes are connected', () => {
    const { nodes, connections } = JSON.parse(
      readFileSync('examples/n8n/cotizacion-diaria.json', 'utf8'),
    ) as { nodes: { name: string }[]; connections: Record<string, { main: { node: string }[][] }> }
    const names = nodes.map(({ name }) => name)
    const targets = Object.values(connections).flatMap(({ main }) => main.flat())
    expect(names.slice(0, -1)).toEqual(Object.keys(connections))
    expect(targets.map(({ node }) => node)).toEqual(names.slice(1))
  })

  it('send a change to a Telegram chat, but not the first value', async () => {
    const sent: { path: string; text: string }[] = []
    const server = createServer(async (request, response) => {
      const { text: message } = JSON.parse(await text(request)) as { text: string }
      sent.push({ path: request.url!, text: message })
      response.end('{}')
    })
    await using telegram = await listen(server)
    const child = runExample('telegram/alert.mjs', {
      TELEGRAM_API: `http://127.0.0.1:${telegram.port}`,
      TELEGRAM_TOKEN: 'token',
      TELEGRAM_CHAT: '1',
      PAIRS: 'usd/cripto,usd/bolsa,usd/ccl',
    })
    await expect.poll(() => sent.length, { timeout: 60_000 }).toBeGreaterThan(0)
    child.kill()
    expect(sent[0]!.path).toBe('/bottoken/sendMessage')
    expect(sent[0]!.text).toMatch(/^[▲▼] Dólar .+: \$\s[\d.,]+ \(antes \$\s[\d.,]+\)$/)
  })

  it('let a Discord channel follow a pair', async () => {
    const child = runExample('discord/follow.mjs', {
      API_KEY: apiKey,
      DISCORD_URL: 'https://discord.com/api/webhooks/1/token',
    })
    const output: string[] = []
    child.stdout.on('data', (chunk) => output.push(String(chunk)))
    child.stderr.on('data', (chunk) => output.push(String(chunk)))
    await once(child, 'close')
    expect(output.join('')).toBe('USD/BLUE to https://discord.com/***, test pending\n')
  })
})

/** Runs an example with the packed client, which it finds as an installed package. */
function runExample(file: string, env: Record<string, string>) {
  const script = join(packed.project, basename(file))
  copyFileSync(join('examples', file), script)
  return spawn(process.execPath, [script], {
    env: { ...process.env, BASE_URL: service.url, ...env },
  })
}

it.each(['legacy', 'auto'] as const)(
  'the official client of MCP, %s, finds the six tools, reads what the API serves, and gets refusals as tool errors',
  async (mode) => {
    const mcp = new McpClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`)))
    const call = (name: string, args: Record<string, unknown>) =>
      mcp.callTool({ name, arguments: args })

    expect((await mcp.listTools()).tools).toHaveLength(6)
    expect(mcp.getServerVersion()?.name).toBe('cotizaciones')
    await whileOneValueHolds(async () => {
      const blue = await call('dollar_quote', { origin: 'blue' })
      const api = await (await service.get('/api/v2/usd/blue')).json()
      expect(blue.structuredContent).toMatchObject({ mode: 'demo', quotes: [api] })
    })
    const future = await call('quote_at_date', { date: '2999-01-01', currency: 'usd' })
    expect(future).toMatchObject({
      isError: true,
      content: [{ text: 'La fecha no puede ser posterior a hoy' }],
    })
    await mcp.close()
  },
)

/** Empty where this machine has no Python. */
const pythons = ['python3'].filter((name) => spawnSync(name, ['--version']).status === 0)

describe('the Python client', () => {
  it.each(pythons)(
    'passes its tests with %s, against a server of its own and against the running service',
    (python) => {
      const env = {
        ...process.env,
        PYTHONPATH: '.',
        PYTHONDONTWRITEBYTECODE: '1',
        BASE_URL: service.url,
        API_KEY: apiKey,
      }
      const { status, stderr } = spawnSync(python, ['-m', 'unittest', 'discover', '-s', 'tests'], {
        cwd: 'clients/python',
        env,
        encoding: 'utf8',
      })
      expect(stderr).toMatch(/^Ran 21 tests/m)
      expect(stderr).toMatch(/^OK$/m)
      expect(status).toBe(0)
    },
  )
})

it('requests succeed while a command holds the lock of the database', async () => {
  const paths = ['/api/v2/auth/check', '/api/v2/usd/blue/history', '/cuenta/enlace?token=x']
  using database = new DatabaseSync(databaseFile(service.stateDir)!, { timeout: 5000 })
  const statuses: number[] = []

  for (let round = 0; round < 3; round++) {
    database.exec('begin immediate')
    database.exec('update private_budget set day = day')
    const asked = paths.map(async (path) => {
      const { status } = await service.get(path, { headers: { 'x-api-key': apiKey } })
      statuses.push(status)
    })
    await sleep(500)
    database.exec('commit')
    await Promise.all(asked)
  }
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 410, 410, 410])
})
