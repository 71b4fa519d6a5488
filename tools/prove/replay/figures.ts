/** Counts of an injection: the figures that the table shows and the targets compare. */
import type { CleanResult, Injected, Mode, TrialResult } from './inject.ts'
import type { FaultKind } from './kinds.ts'
import type { MoveTrial } from './plan.ts'
import { KEPT_MINUTES } from './market.ts'

export interface Share {
  count: number
  of: number
}

export type FaultResult = Extract<TrialResult, { trial: { what: 'fault' } }>
export type MoveResult = Extract<TrialResult, { trial: { what: 'move' } }>

export function isFault(result: TrialResult): result is FaultResult {
  return result.trial.what === 'fault'
}

export function isMove(result: TrialResult): result is MoveResult {
  return result.trial.what === 'move'
}

/** Minutes until a move was published; infinite when it never was. */
export function delayOf({ outcome }: MoveResult): number {
  return outcome.delay ?? Infinity
}

/** Whether a fault got out: its value was published, or a stale one was kept for too long. */
export function gotOut({ trial, outcome }: FaultResult): boolean {
  return trial.kind === 'stale' ? outcome.keptMinutes > KEPT_MINUTES : outcome.published !== null
}

export class Figures {
  readonly #results: readonly TrialResult[]
  readonly #clean: readonly CleanResult[]

  constructor({ results, clean }: Injected) {
    this.#results = results
    this.#clean = clean
  }

  faults(mode: Mode, kinds?: readonly FaultKind[]): FaultResult[] {
    return this.#results
      .filter(isFault)
      .filter((one) => one.mode === mode && (kinds?.includes(one.trial.kind) ?? true))
  }

  /** Of the faults of some kinds, those that got out. */
  out(mode: Mode, kinds?: readonly FaultKind[]): Share {
    const faults = this.faults(mode, kinds)
    return { count: faults.filter(gotOut).length, of: faults.length }
  }

  /** Longest time that a correct source was shut out, beside faults and without any. */
  longestShutOut(mode: Mode): number {
    const trials = this.faults(mode).map(({ outcome }) => outcome.shutOutMinutes)
    const clean = this.#clean.filter((one) => one.mode === mode)
    return Math.max(0, ...trials, ...clean.map(({ longestCorrectHold }) => longestCorrectHold))
  }

  /**
   * Correct changes held over ten minutes, or not shown for as long although all sources agreed,
   * of all changes of the undisturbed replay.
   */
  correctHeld(mode: Mode): Share {
    const clean = this.#clean.filter((one) => one.mode === mode)
    const sum = (figure: (one: CleanResult) => number) =>
      clean.reduce((total, one) => total + figure(one), 0)
    return {
      count: sum(({ correctHeld, late }) => Math.max(correctHeld, late)),
      of: sum(({ changes }) => changes),
    }
  }

  /** Faults of the recordings that were published though another source contradicted them. */
  contradicted(): Share {
    const clean = this.#clean.filter(({ mode }) => mode === 'two')
    return {
      count: clean.reduce((total, one) => total + one.contradicted, 0),
      of: clean.reduce((total, one) => total + one.changes, 0),
    }
  }

  /** Minutes from the second source's sight of each move of the recordings; infinite when never. */
  naturalDelays(): number[] {
    return this.#clean
      .filter(({ mode }) => mode === 'two')
      .flatMap(({ moves }) => moves)
      .filter(({ delay, delayConfirmed }) => delay === null || delayConfirmed !== null)
      .map(({ delayConfirmed }) => delayConfirmed ?? Infinity)
  }

  /** Minutes until each move was published, ascending; one that never was is infinite. */
  delays(mode: Mode, which: (move: MoveTrial) => boolean = () => true): number[] {
    return this.#results
      .filter(isMove)
      .filter((one) => one.mode === mode && which(one.trial))
      .map(delayOf)
      .toSorted((a, b) => a - b)
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
}

export function percent({ count, of }: Share): number {
  return of === 0 ? 0 : (100 * count) / of
}
