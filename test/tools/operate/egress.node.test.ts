import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EgressClient } from '../../../tools/operate/egress/client.ts'
import { openEgress } from '../../../tools/operate/egress/egress.ts'
import { CommandError } from '../../../tools/support/arguments.ts'
import { temporaryFolder } from '../../../tools/support/scratch.ts'
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
async function ask(headers: Record<string, string> = {}) {
  const asked = request({ socketPath: egress.path, method: 'POST', path: '/hook', headers })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.resume().headers }
}

const order = (host: string) => ({ host, path: '/', headers: [], body: Buffer.from('{}') })

describe('addresses are checked once more where the connection is made', () => {
  it.each([
    ['none', []],
    ['a loopback one', ['127.0.0.1']],
    ['a private one beside a public one', ['93.184.216.34', '192.168.0.1']],
    ['what is no address', ['localhost']],
  ])('%s: refused', async (_, addresses) => {
    const posted = new EgressClient().post(
      { ...order('hooks.example.com'), accountId: 'account', addresses },
      new AbortController().signal,
    )
    await expect(posted).rejects.toMatchObject({ errorType: 'destination' })
  })

  it('and the Worker is told so', async () => {
    const { status, headers } = await ask({ [ADDRESSES_HEADER]: '127.0.0.1' })
    expect([status, headers[FAILURE_HEADER.toLowerCase()]]).toEqual([502, 'destination'])
  })
})

it('at most eight addresses of a name are tried', async () => {
  const client = new EgressClient(() => Array(20).fill(place))
  const before = connections
  const posted = client.post(
    { ...order('hooks.example.com'), accountId: 'account', addresses: [] },
    new AbortController().signal,
  )
  await expect(posted).rejects.toMatchObject({ errorType: 'network' })
  expect(connections - before).toBe(8)
})

it('is asked in a folder that nobody else may open', () => {
  expect(statSync(dirname(egress.path)).mode & 0o777).toBe(0o700)
})

it('is started again where it was, as often as it is ended', async () => {
  for (let times = 0; times < 3; times++) {
    const ended = egress.pid()
    process.kill(ended, 'SIGKILL')
    await expect.poll(() => egress.pid()).not.toBe(ended)
    // Once even before it serves.
    if (times === 1) continue
    await expect.poll(() => ask().then(({ status }) => status, String)).toBe(502)
  }
})

it('cannot serve: the start says why', async () => {
  // Longer than the path of a socket may be.
  const folder = join(temporaryFolder(), 'x'.repeat(100))
  mkdirSync(folder)
  vi.stubEnv('TMPDIR', folder)
  await expect(openEgress()).rejects.toThrow(
    new CommandError('the way out of deliveries ended with code 1 before it served'),
  )
  // The files of a project share a process, and the next one starts before stubs go by themselves.
  vi.unstubAllEnvs()
})
