import type { ClosedDay } from '../../../shared/board/closed-day.ts'
import { RecentlyUsed } from '../../../shared/recently-used.ts'
import type { CachedResponse } from '../http/cached-response.ts'

/** Points of closed days: some 4 MB, the last hundred days even if every pair changed 25 times. */
export const MOST_POINTS = 50_000
/** Bytes of whole answers: some seven thousand about one pair. */
export const MOST_RESPONSE_BYTES = 8_000_000

/** What an isolate keeps of the past that it used last, each in its latest revision. */
class KeptPast<Value extends { revision: number }> extends RecentlyUsed<Value> {
  keep(key: string, value: Value): void {
    if ((this.get(key)?.revision ?? -1) <= value.revision) this.set(key, value)
  }
}

/** The closed days, by day. */
export class KeptDays extends KeptPast<ClosedDay> {
  constructor() {
    super(MOST_POINTS, ({ points }) =>
      Object.values(points).reduce((sum, list) => sum + list.length + 1, 0),
    )
  }
}

/** What an answer takes beside its body and its key: its headers twice, and its entry. */
const ENTRY_BYTES = 800

/** Whole answers about days that are over, by what was asked. */
export class KeptResponses extends KeptPast<CachedResponse & { revision: number }> {
  constructor() {
    super(MOST_RESPONSE_BYTES, ({ body }, key) => body.length + key.length + ENTRY_BYTES)
  }
}
