import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from './arguments.ts'

/** Polls a condition until it is true. Throws a `CommandError` with `failure` after `atMostMs`. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { everyMs, atMostMs, failure }: { everyMs: number; atMostMs: number; failure: string },
): Promise<void> {
  for (const end = performance.now() + atMostMs; !(await isSo()); await sleep(everyMs))
    if (performance.now() > end) throw new CommandError(failure)
}
