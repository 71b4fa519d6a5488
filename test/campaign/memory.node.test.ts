import { expect, it } from 'vitest'
import { FLAT_BYTES, openHostile } from '../delivery/hostile.ts'

it.each(['host', 'platform'] as const)(
  'by the %s, memory that 2,000 hostile deliveries have taken serves 2,000 more',
  async (by) => {
    await using hostile = await openHostile(by)
    await hostile.deliver(2000)

    const before = hostile.resident()
    expect(await hostile.deliver(2000)).toBeGreaterThan(1000)
    expect(hostile.resident() - before).toBeLessThan(FLAT_BYTES)
  },
)
