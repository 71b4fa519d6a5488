import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Quota, QuotaRefusal } from '../../../shared/db/accounts/quotas.ts'
import { RecentlyUsed } from '../../../shared/recently-used.ts'

/** The most refusals remembered at once, which bounds the memory. */
const MAX_REMEMBERED = 10_000

interface Spent {
  refusal: QuotaRefusal
  quota: Quota
}

/**
 * The keys that are out of a limit, as far as this isolate knows, by hash. The database need not say
 * it again in the same minute.
 */
export class SpentKeys {
  readonly #refusals = new RecentlyUsed<Spent & { minute: number }>(MAX_REMEMBERED, () => 1)

  get(hash: string, { management, now }: { management: boolean; now: Instant }): Spent | null {
    const known = [
      this.#refusals.get(hash),
      management ? this.#refusals.get(managed(hash)) : undefined,
    ]
    return known.find((spent) => spent?.minute === minuteOf(now)) ?? null
  }

  /** The quota of management is spent for management alone. */
  add(hash: string, { refusal, quota }: Spent, now: Instant): void {
    const key = refusal === 'management_quota' ? managed(hash) : hash
    this.#refusals.set(key, { refusal, quota, minute: minuteOf(now) })
  }
}

const managed = (hash: string) => `${hash} management`
const minuteOf = (now: Instant) => Math.floor(now / MINUTE_MS)
