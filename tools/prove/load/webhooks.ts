import { fire, Tally } from './fire.ts'
import type { Load } from './load.ts'
import { seedKeys } from './seed-keys.ts'
import { openService } from './service.ts'
import type { Request } from 'autocannon'

const CONNECTIONS = 8
/**
 * Each manages one webhook's life of twelve requests at a time. The quota of a key is 30 a minute.
 */
const KEYS = 4000
const NAME = 'hook.example.com'

export const webhooks: Load = {
  name: 'webhooks',
  summary:
    `webhooks made, listed, read, edited, paused, activated, tested, redelivered, rotated and deleted, from ` +
    `${CONNECTIONS} connections`,
  async run({ seconds }) {
    let keys: string[] = []
    await using service = await openService({
      args: ['--demo', '--var', 'DAILY_PRIVATE_BUDGET=1000000000'],
      names: [NAME],
      seed: async (db) => {
        keys = await seedKeys(db, KEYS)
      },
    })
    const tally = new Tally()
    let next = 0
    const requests = lifeOf(() => keys[next++ % KEYS]!, NAME, tally)
    const result = await service.underLoad(seconds, (seconds) =>
      fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally }),
    )
    const arrived = (await service.arrivals()).length
    const problems = arrived === 0 ? ['nothing arrived at the receiver'] : []
    return {
      ...result,
      problems: [...result.problems, ...problems],
      remarks: [`${next} webhooks, ${arrived} deliveries arrived meanwhile`],
    }
  },
}

interface Life {
  key?: string
  id?: string
  version?: number
}

interface Step {
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: (life: Life) => string
  expect: number[]
  body?: ((life: Life) => object) | undefined
}

const ALL = '/api/v2/webhooks'
const one = ({ id }: Life) => `${ALL}/${id}`
const versioned =
  (changes: object = {}) =>
  ({ version }: Life) => ({ version, ...changes })

const step = (
  name: string,
  method: Step['method'],
  path: Step['path'],
  expect = [200],
  body?: Step['body'],
): Step => ({ name, method, path, expect, body })
const edit = (name: string, changes: object) => step(name, 'PATCH', one, [200], versioned(changes))

const lastMinute = () => ({ since: new Date(Date.now() - 60_000).toISOString() })

function steps(host: string): Step[] {
  const creation = () => ({
    operationId: crypto.randomUUID(),
    url: `https://${host}/hook?token=hidden`,
    currency: 'USD',
    origin: 'BLUE',
    enabled: true,
  })
  return [
    step('create', 'POST', () => ALL, [201], creation),
    step('check', 'GET', () => '/api/v2/auth/check'),
    step('list', 'GET', () => ALL),
    step('read', 'GET', one),
    edit('edit', { url: `https://${host}/other` }),
    edit('pause', { enabled: false }),
    edit('activate', { enabled: true }),
    step('test', 'POST', (life) => `${one(life)}/test`, [202]),
    step('deliveries', 'GET', ({ id }) => `${ALL}/deliveries?webhookId=${id}`),
    step('redeliver', 'POST', (life) => `${one(life)}/redeliver`, [202], lastMinute),
    // 409 while a delivery of the webhook is in flight, as the contract says.
    step('rotate', 'POST', (life) => `${one(life)}/rotate-secret`, [200, 409], versioned()),
    step('delete', 'DELETE', one, [200], versioned()),
  ]
}

/**
 * A webhook from creation to deletion, with its own key. After a wrong answer another one begins.
 */
function lifeOf(key: () => string, host: string, tally: Tally): Request[] {
  return steps(host).map(({ name, method, path, body, expect }, index) => ({
    method,
    setupRequest(request: Request, context: Life) {
      if (index === 0) context.key = key()
      else if (context.id === undefined) return undefined as unknown as Request

      return {
        ...request,
        path: path(context),
        headers: {
          'x-api-key': context.key!,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body(context)) : '',
      }
    },
    onResponse(status: number, text: string, context: Life) {
      const isGood = tally.note(name, status, expect, text)
      if (!isGood) delete context.id
      else if (status < 300) remember(context, text)
    },
  }))
}

function remember(life: Life, text: string): void {
  const { webhook } = JSON.parse(text) as { webhook?: { id: string; version: number } }
  if (webhook) Object.assign(life, { id: webhook.id, version: webhook.version })
}
