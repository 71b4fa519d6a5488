import { expect, it } from 'vitest'
import { FLAT_BYTES, openHostile } from '../../node/delivery/hostile.ts'

it.each(['pinned', 'fetch'] as const)(
  'by %s, memory that 2,000 hostile deliveries have taken serves 2,000 more',
  async (transport) => {
    await using hostile = await openHostile(transport)
    await hostile.deliver(2000)

    const before = hostile.resident()
    expect(await hostile.deliver(2000)).toBeGreaterThan(1000)
    expect(hostile.resident() - before).toBeLessThan(FLAT_BYTES)
  },
)
