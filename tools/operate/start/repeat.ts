/**
 * Runs `job` every so many milliseconds, counted from start to start. It never overlaps itself; a
 * late run skips turns.
 */
export function repeat(periodMs: number, job: () => Promise<void>) {
  let running: Promise<void> | null = null

  const timer = setInterval(() => {
    running ??= job().finally(() => {
      running = null
    })
  }, periodMs)

  return {
    /** Ends it; resolves when a run under way is over. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}

/** Runs jobs one after the other, in the order in which they come. */
export type Turn = <Result>(job: () => Promise<Result>) => Promise<Result>

export function inTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve()

  return (job) => {
    const run = last.then(job)
    last = run.catch(() => {})
    return run
  }
}
