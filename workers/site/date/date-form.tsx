import { argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { pairPath } from '../board/words.ts'

/** A plain form for another day, which leads to the day's address. */
export function DateForm({ pair, day, now }: { pair: Pair; day?: Day; now: Instant }) {
  return (
    <form class="date-form" method="get" action={`${pairPath(pair)}/fecha`}>
      <label for="dia">¿Cuánto valía otro día?</label>
      <div class="field-row">
        <input id="dia" name="dia" type="date" required max={argentineDay(now)} value={day ?? ''} />
        <button type="submit">Ver ese día</button>
      </div>
    </form>
  )
}
