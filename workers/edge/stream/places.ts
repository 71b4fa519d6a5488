import { wideClientKey } from '../../../shared/access/wide-client-key.ts'

/** Streams at once of one client address, and of one IPv6 /48. */
export const MAX_PER_CLIENT = 10
export const MAX_PER_WIDE_CLIENT = 100

/** Whether two clients draw on one count. */
export function sharesPlaces(one: string, other: string): boolean {
  return one === other || (wideClientKey(one) ?? one) === wideClientKey(other)
}

/** Who holds how many open streams: by client (`clientKey`), and by the /48 around it. */
export class StreamPlaces {
  readonly #held = new Map<string, number>()

  hasRoom(client: string): boolean {
    const wide = wideClientKey(client)
    return (
      this.#of(client) < MAX_PER_CLIENT && (wide === null || this.#of(wide) < MAX_PER_WIDE_CLIENT)
    )
  }

  take(client: string): void {
    this.#add(client, 1)
  }

  free(client: string): void {
    this.#add(client, -1)
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #add(client: string, change: 1 | -1): void {
    for (const key of [client, wideClientKey(client)]) {
      if (key === null) continue

      const count = this.#of(key) + change
      if (count === 0) this.#held.delete(key)
      else this.#held.set(key, count)
    }
  }
}
