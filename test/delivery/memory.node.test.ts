import { expect, it } from 'vitest'
import { FLAT_BYTES, openHostile } from './hostile.ts'

/** The long run is in `npm run test:campaign`. */
it.each(['host', 'platform'] as const)(
  'by the %s, 200 deliveries to floods, drips, bombs and endless heads leave memory flat',
  async (by) => {
    await using hostile = await openHostile(by)
    await hostile.deliver(40)

    const before = hostile.resident()
    // On a busy machine a deadline of 300 ms can pass before the request is there.
    expect(await hostile.deliver(200)).toBeGreaterThan(50)
    expect(hostile.resident() - before).toBeLessThan(FLAT_BYTES)
    await expect.poll(() => hostile.receiver.open.size).toBe(0)
  },
)
