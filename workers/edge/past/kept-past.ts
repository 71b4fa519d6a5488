import type { ClosedDay } from '../../../shared/board/closed-day.ts'
import { RecentlyUsed } from '../../../shared/recently-used.ts'
import type { CachedResponse } from '../http/cached-response.ts'

/** Points of closed days, about 4 MB: a hundred days in which every pair changes 25 times. */
export const MOST_POINTS = 50_000
/** Bytes of whole responses: about seven thousand of one pair. */
export const MOST_RESPONSE_BYTES = 8_000_000

/** The past that an isolate used last, each entry in its latest revision. */
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

/** The size of an entry besides its body and its key, mostly two sets of headers. */
const ENTRY_BYTES = 800

/** Whole responses about closed days, by `responseKey`. */
export class KeptResponses extends KeptPast<CachedResponse & { revision: number }> {
  constructor() {
    super(MOST_RESPONSE_BYTES, ({ body }, key) => body.length + key.length + ENTRY_BYTES)
  }
}
