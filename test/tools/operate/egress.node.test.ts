import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEgress } from '../../../tools/operate/egress/egress.ts'
import { CommandError } from '../../../tools/support/arguments.ts'
import { temporaryFolder } from '../../../tools/support/scratch.ts'
import { ADDRESSES_HEADER } from '../../../workers/delivery/attempt/egress.ts'

let egress: Awaited<ReturnType<typeof openEgress>>
beforeAll(async () => {
  egress = await openEgress()
})
afterAll(() => egress[Symbol.dispose]())

/** Sends a request as the runtime would for a Worker. */
async function ask(headers: Record<string, string> = {}) {
  const asked = request({ socketPath: egress.path, method: 'POST', path: '/hook', headers })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return json(response)
}

describe('addresses are checked once more where the connection is made', () => {
  it.each([
    ['none', ''],
    ['a loopback one', '127.0.0.1'],
    ['a private one beside a public one', '93.184.216.34 192.168.0.1'],
    ['what is no address', 'localhost'],
  ])('%s: refused', async (_, addresses) => {
    expect(await ask({ [ADDRESSES_HEADER]: addresses })).toEqual({ failure: 'destination' })
  })
})

it('has its socket in a folder that nobody else may open', () => {
  expect(statSync(dirname(egress.path)).mode & 0o777).toBe(0o700)
})

it('is started again where it was, as often as it is ended', async () => {
  for (let times = 0; times < 3; times++) {
    const ended = egress.pid()
    process.kill(ended, 'SIGKILL')
    await expect.poll(() => egress.pid()).not.toBe(ended)
    // The first time the process ends before it serves.
    if (times === 1) continue
    await expect.poll(() => ask().catch(String)).toEqual({ failure: 'destination' })
  }
})

it('fails to serve: the start prints the reason', async () => {
  // Longer than the path of a socket may be.
  const folder = join(temporaryFolder(), 'x'.repeat(100))
  mkdirSync(folder)
  vi.stubEnv('TMPDIR', folder)
  await expect(openEgress()).rejects.toThrow(
    new CommandError('the way out of deliveries ended with code 1 before it served'),
  )
  // All files of the project share a process, and the next file starts before stubs are removed.
  vi.unstubAllEnvs()
})
