import { widerClient } from '../../../shared/access/client.ts'

/** Streams at once of one client address, and of one IPv6 /48. */
export const MAX_PER_CLIENT = 10
export const MAX_PER_WIDE_CLIENT = 100

/** Whether two clients share a limit. */
export function sharesSlots(one: string, other: string): boolean {
  return one === other || (widerClient(one) ?? one) === widerClient(other)
}

/** How many streams each client holds open, and each /48 around one. */
export class StreamSlots {
  readonly #held = new Map<string, number>()

  hasFree(client: string): boolean {
    const wide = widerClient(client)
    return (
      this.#of(client) < MAX_PER_CLIENT && (wide === null || this.#of(wide) < MAX_PER_WIDE_CLIENT)
    )
  }

  take(client: string): void {
    this.#add(client, 1)
  }

  release(client: string): void {
    this.#add(client, -1)
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #add(client: string, change: 1 | -1): void {
    for (const key of [client, widerClient(client)]) {
      if (key === null) continue

      const count = this.#of(key) + change
      if (count === 0) this.#held.delete(key)
      else this.#held.set(key, count)
    }
  }
}
