import { SECOND_MS } from '../../../shared/argentine-time.ts'

/** How long a cycle waits for witnesses once the last leading source has answered. */
const PATIENCE_MS = 3 * SECOND_MS

/** The time limit of witnesses. It starts when the last leading source is done. */
export interface Patience {
  readonly isOver: boolean
  /** Called when the time is over. */
  readonly onEnd: Set<() => void>
  /** A leading source is done or has failed. */
  leadingDone(): void
  /** Everything that the cycle waited for has arrived. */
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
