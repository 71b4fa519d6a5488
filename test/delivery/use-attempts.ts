import { afterAll, afterEach, beforeAll } from 'vitest'
import { createAuthority } from '../../tools/support/authority.ts'
import { type Attempts, NAMES, openAttempts } from './attempts.ts'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'

/**
 * For the top of a test file: one runtime for its attempts, and receivers with a certificate for
 * these names, which are closed after each test.
 */
export function useAttempts(names: readonly string[] = NAMES) {
  const authority = createAuthority()
  const certificate = authority.issue([...names])
  const receivers: Receiver[] = []
  let opened: Attempts

  beforeAll(async () => {
    opened = await openAttempts(authority)
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const attempts: Pick<Attempts, 'make' | 'attempt' | 'processorMs'> = {
    make: (orders) => opened.make(orders),
    attempt: (order) => opened.attempt(order),
    processorMs: () => opened.processorMs(),
  }

  async function receive(
    behave: Behaviour,
    options: Parameters<typeof startReceiver>[2] = {},
    of = certificate,
  ): Promise<Receiver> {
    const receiver = await startReceiver(of, behave, options)
    receivers.push(receiver)
    return receiver
  }

  return { authority, attempts, receive }
}
