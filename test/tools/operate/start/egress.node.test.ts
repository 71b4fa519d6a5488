import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { egressService, locateBeside } from '../../../../tools/operate/start/egress.ts'
import { listen } from '../../../../tools/support/listen.ts'
import { ADDRESSES_HEADER } from '../../../../workers/delivery/attempt/egress.ts'

it.each([
  ['no address', ''],
  ['a loopback address', '127.0.0.1'],
  ['a private address beside a public one', '93.184.216.34 192.168.0.1'],
  ['what is no address', 'localhost'],
])('the egress refuses %s, although the Worker has validated it', async (_, addresses) => {
  await using server = await listen(createServer(egressService(locateBeside({})).node))
  const headers = { [ADDRESSES_HEADER]: addresses }
  const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers })
  expect(await response.json()).toEqual({ failure: 'destination' })
})
