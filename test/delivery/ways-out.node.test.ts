/** Both ways out of workerd, on receivers with every fault, over TLS on loopback. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createAuthority } from '../../tools/support/authority.ts'
import type { AttemptOrder } from './attempt-worker.ts'
import { NAMES, orderTo } from './attempts.ts'
import { COSTLY, delivered, ENDING, failed, HANGING, POURING } from './faults.ts'
import { answers, type Behaviour } from './receiver.ts'
import { useAttempts } from './use-attempts.ts'

const { authority, attempts, receive } = useAttempts()

/** How many attempts a cost is measured by: the kernel counts in hundredths of a second. */
const ATTEMPTS = 10

describe.each(['host', 'platform'] as const)('by the %s, a receiver that answers', (by) => {
  const attempt = (port: number, change: Partial<AttemptOrder> = {}) =>
    attempts.attempt(orderTo(port, { by, ...change }))

  it.each(ENDING)('%s', async (_, behave, expected) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port)

    expect(outcome).toEqual(expected)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.connections).toBe(1)
    expect(ms).toBeLessThan(5000)
  })

  it.each(HANGING)('%s: a time-out at the deadline, the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port, { deadlineMs: 500, lingerMs: 300 })

    expect(outcome).toEqual(failed('timeout'))
    expect(ms).toBeGreaterThanOrEqual(450)
    expect(ms).toBeLessThan(5000)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })

  it.each(POURING)('200 and %s: delivered at once, the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port, { lingerMs: 300 })

    expect(outcome).toEqual(delivered(200))
    expect(ms).toBeLessThan(5000)
    // By us, and not by the end of the invocation.
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
    expect(receiver.written()).toBeLessThan(8e6)
  })

  /** The processor time of an attempt, of a number of them. */
  async function cost(behave: Behaviour): Promise<number> {
    const receiver = await receive(behave)
    const order = orderTo(receiver.port, { by })
    await attempts.attempt(order)
    const before = attempts.processorMs()
    await attempts.make(Array(ATTEMPTS).fill(order))
    return (attempts.processorMs() - before) / ATTEMPTS
  }

  it.each(COSTLY)('and a head of %s: costs at most 100 ms of our processor', async (_, behave) => {
    // Beside what the connection and the request cost.
    expect((await cost(behave)) - (await cost(answers(200)))).toBeLessThan(100)
  })

  it('the handshake and nothing of the request: network', async () => {
    const receiver = await receive(answers(200), { onConnect: (socket) => socket.destroy() })
    expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
  })

  it.each<[string, (socket: Socket) => void]>([
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end', (socket) => socket.end()],
    ['plain HTTP', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('no handshake but %s: network', async (_, hangUp) => {
    const server = createServer((socket) =>
      socket.on('error', () => {}).once('data', () => hangUp(socket)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { outcome } = await attempt((server.address() as AddressInfo).port)
    server.close()
    expect(outcome).toEqual(failed('network'))
  })

  it('nothing, for nobody listens: network', async () => {
    const closed = await receive(answers(204))
    await closed.close()
    expect((await attempt(closed.port)).outcome).toEqual(failed('network'))
  })

  it.each([
    ['of another name', () => authority.issue(['other.example.com'])],
    ['that has expired', () => authority.issue(NAMES, -2)],
    ['of another authority', () => createAuthority().issue(NAMES)],
  ])('with a certificate %s is refused before any request', async (_, issue) => {
    const receiver = await receive(answers(200), {}, issue())

    expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
    expect(receiver.requests).toEqual([])
  })

  it('with TLS older than 1.2 is refused', async () => {
    const receiver = await receive(answers(200), {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
    expect(receiver.requests).toEqual([])
  })
})
