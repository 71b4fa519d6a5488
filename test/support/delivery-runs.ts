import { seedDelivery, seedWebhook } from './delivery-seeds.ts'

/** One delivery for each of so many webhooks, each at a host of its own. */
export async function seedEach(count: number, host = (index: number) => `h${index}.example.com`) {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await seedDelivery(await seedWebhook({ host: host(index) }), { host: host(index) }))
  return ids
}

/** With a sleep that ends at once, a run that waits would ask without a pause. */
export function reallySleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Receivers that count how many of them answer at once. */
export function countingReceivers() {
  const seen = { now: 0, most: 0 }
  return {
    seen,
    async answer() {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await reallySleep(1)
      seen.now -= 1
      return 204
    },
  }
}
