import { SECOND_MS } from '../../../shared/argentine-time.ts'

/** How long a cycle waits for witnesses once the last leading source has answered. */
const PATIENCE_MS = 3 * SECOND_MS

/** The time that witnesses have: it begins to run out when no leading source is left. */
export interface Patience {
  readonly isOver: boolean
  /** Called when the time is over. */
  readonly onEnd: Set<() => void>
  /** One more leading source has answered or failed. */
  leadingDone(): void
  /** The cycle has all it waited for. */
  end(): void
}

export function startPatience(leading: number, patienceMs = PATIENCE_MS): Patience {
  const onEnd = new Set<() => void>()
  let left = leading
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function runOut(): void {
    isOver = true
    for (const giveUp of onEnd) giveUp()
  }
  function startTimer(): void {
    timer = setTimeout(runOut, patienceMs)
  }
  if (left === 0) startTimer()

  return {
    get isOver() {
      return isOver
    },
    onEnd,
    leadingDone() {
      left -= 1
      if (left === 0) startTimer()
    },
    end() {
      clearTimeout(timer)
    },
  }
}
