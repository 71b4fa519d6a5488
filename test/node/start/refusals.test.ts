import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { findRunning, noteRunning } from '../../../tools/local/running.ts'
import { admin, startAndEnd, temporaryState } from '../../../tools/harness/service.ts'

it.each([
  [['--port', 'x'], '--port must be a whole number from 0 to 65535'],
  [
    ['--var', 'NONSENSE=1', '--var', 'DELIVERY_WAITS=30'],
    'NONSENSE is no configuration variable\nDELIVERY_WAITS must be three whole numbers',
  ],
])('ends with 2 and one clear line for %j', async (args, message) => {
  const { code, output } = await startAndEnd(['--state', temporaryState(), ...args])
  expect(output).toContain(message)
  expect(code).toBe(2)
})

it('ends with 1 when the port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  const args = ['--state', temporaryState(), '--port', String(port)]
  const { code, output } = await startAndEnd(args)
  server.close()

  expect(output).toBe(`error: port ${port} is in use: choose another with --port\n`)
  expect(code).toBe(1)
})

it('explains itself with --help', async () => {
  const { code, output } = await startAndEnd(['--help'])
  expect(output).toContain('--receiver NAME=127.0.0.1:PORT')
  expect(code).toBe(0)
})

it('answers an unknown admin command, or one without a service, with one line and 1', async () => {
  expect(await admin(['nonsense'])).toMatchObject({
    code: 1,
    output: "error: unknown command 'nonsense': see --help\n",
  })
  const stateDir = temporaryState()
  expect(await admin(['cycle', '--state', stateDir])).toMatchObject({
    code: 1,
    output: `error: no service runs on ${stateDir}: npm start first\n`,
  })
})

it('takes a folder as free whose service was killed, though its process id is another’s now', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const stateDir = temporaryState()
  const order = { mode: 'demo', everySeconds: 5, upstream: null, impatient: false } as const
  const left = { pid: process.pid, url: `http://127.0.0.1:${port}`, token: 'token', order }
  noteRunning(stateDir, left)

  expect(await findRunning(stateDir)).toEqual(left)
  await new Promise((resolve) => server.close(resolve))
  expect(await findRunning(stateDir)).toBeNull()
})
