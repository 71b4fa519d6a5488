import type { Day } from '../../../shared/argentine-time.ts'
import type { ClosedDay } from '../../../shared/board/closed-day.ts'

/** Points that an isolate keeps: some 4 MB, the last hundred days even if every pair changed 25 times. */
export const MOST_POINTS = 50_000

/** The closed days that this isolate answered last, in the order of their use. */
export class KeptDays {
  readonly #days = new Map<Day, { document: ClosedDay; points: number }>()
  #points = 0

  get(day: Day): ClosedDay | null {
    const kept = this.#days.get(day)
    if (!kept) return null

    this.#days.delete(day)
    this.#days.set(day, kept)
    return kept.document
  }

  /** Keeps a document, and lets go of the longest unused ones beyond the limit. */
  keep(document: ClosedDay): void {
    const { day, revision } = document
    if ((this.#days.get(day)?.document.revision ?? -1) > revision) return

    const points = Object.values(document.points).reduce((sum, list) => sum + list.length + 1, 0)
    this.#drop(day)
    this.#days.set(day, { document, points })
    this.#points += points
    for (const oldest of this.#days.keys()) {
      if (this.#points <= MOST_POINTS) return
      this.#drop(oldest)
    }
  }

  #drop(day: Day): void {
    this.#points -= this.#days.get(day)?.points ?? 0
    this.#days.delete(day)
  }
}
