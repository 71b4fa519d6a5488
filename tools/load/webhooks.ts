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
    `webhooks made, listed, read, edited, paused, activated, tested, rotated and deleted, from ` +
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
  method: NonNullable<Request['method']>
  path: (life: Life) => string
  body?: (life: Life) => object
  expect: number[]
}

const ALL = '/api/v2/webhooks'
const one = ({ id }: Life) => `${ALL}/${id}`
const edit = (name: string, changes: object): Step => ({
  name,
  method: 'PATCH',
  path: one,
  body: ({ version }) => ({ version, ...changes }),
  expect: [200],
})
const read = (name: string, path: Step['path']): Step => ({
  name,
  method: 'GET',
  path,
  expect: [200],
})

function steps(host: string): Step[] {
  return [
    {
      name: 'create',
      method: 'POST',
      path: () => ALL,
      body: () => ({
        operationId: crypto.randomUUID(),
        url: `https://${host}/hook?token=hidden`,
        currency: 'USD',
        origin: 'BLUE',
        enabled: true,
      }),
      expect: [201],
    },
    read('check', () => '/api/v2/auth/check'),
    read('list', () => ALL),
    read('read', one),
    edit('edit', { url: `https://${host}/other` }),
    edit('pause', { enabled: false }),
    edit('activate', { enabled: true }),
    { name: 'test', method: 'POST', path: (life) => `${one(life)}/test`, expect: [202] },
    read('deliveries', ({ id }) => `${ALL}/deliveries?webhookId=${id}`),
    {
      name: 'rotate',
      method: 'POST',
      path: (life) => `${one(life)}/rotate-secret`,
      body: ({ version }) => ({ version }),
      // 409 while a delivery of the webhook is in flight, as the contract says.
      expect: [200, 409],
    },
    {
      name: 'delete',
      method: 'DELETE',
      path: one,
      body: ({ version }) => ({ version }),
      expect: [200],
    },
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
