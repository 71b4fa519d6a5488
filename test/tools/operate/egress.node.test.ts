import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EgressClient } from '../../../tools/operate/egress/client.ts'
import { openEgress } from '../../../tools/operate/egress/egress.ts'
import { TOKEN_HEADER } from '../../../tools/operate/egress/server.ts'
import { ADDRESSES_HEADER, FAILURE_HEADER } from '../../../workers/delivery/attempt/egress.ts'

/** A host that ends each connection before its handshake; how many it saw. */
const server = createServer((socket) => {
  connections += 1
  socket.on('error', () => {}).destroy()
})
let connections = 0
let place: { address: string; port: number }
let egress: Awaited<ReturnType<typeof openEgress>>
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place = { address: '127.0.0.1', port: (server.address() as AddressInfo).port }
  egress = await openEgress({ 'local.example': [place] })
})
afterAll(() => {
  egress[Symbol.dispose]()
  server.close()
})

/** As the runtime would ask it for a Worker. */
function ask(headers: Record<string, string>) {
  const { address, http } = egress.service.external
  const token = Object.fromEntries(
    http.injectRequestHeaders.map(({ name, value }) => [name, value]),
  )
  return fetch(`http://${address}/hook`, { method: 'POST', headers: { ...token, ...headers } })
}

const order = (host: string) => ({ host, path: '/', headers: [], body: Buffer.from('{}') })

describe('addresses are checked once more where the connection is made', () => {
  it.each([
    ['none', []],
    ['a loopback one', ['127.0.0.1']],
    ['a private one', ['10.0.0.1']],
    ['one of a cloud’s metadata', ['169.254.169.254']],
    ['a private IPv6 one', ['fd00::1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['a private one beside a public one', ['93.184.216.34', '192.168.0.1']],
    ['what is no address', ['localhost']],
  ])('%s: refused', async (_, addresses) => {
    const posted = new EgressClient().post(
      { ...order('hooks.example.com'), addresses },
      new AbortController().signal,
    )
    await expect(posted).rejects.toMatchObject({ errorType: 'destination' })
  })

  it('and the Worker is told so', async () => {
    const { status, headers } = await ask({ [ADDRESSES_HEADER]: '127.0.0.1' })
    expect([status, headers.get(FAILURE_HEADER)]).toEqual([502, 'destination'])
  })
})

it('at most eight addresses of a name are tried', async () => {
  const client = new EgressClient(() => Array(20).fill(place))
  const before = connections
  const posted = client.post(
    { ...order('hooks.example.com'), addresses: [] },
    new AbortController().signal,
  )
  await expect(posted).rejects.toMatchObject({ errorType: 'network' })
  expect(connections - before).toBe(8)
})

it('serves nobody without the token of the runtime', async () => {
  const before = connections
  expect((await ask({ [TOKEN_HEADER]: 'guessed' })).status).toBe(403)
  expect(connections).toBe(before)
})

it('is started again where it was when it was ended', async () => {
  const first = egress.pid()
  process.kill(first)
  await expect.poll(() => egress.pid()).not.toBe(first)
  await expect.poll(() => ask({}).then(({ status }) => status)).toBe(502)
})
