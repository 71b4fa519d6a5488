import { writeFileSync } from 'node:fs'
import { formatUtc } from '../../../../shared/argentine-time.ts'
import { pairKey } from '../../../../shared/market/catalog.ts'
import { UsageError } from '../../../support/arguments.ts'
import { guardOf } from '../guard.ts'
import { marketOf } from '../replay.ts'
import type { ReplayFile } from '../roles.ts'
import { delayOf, Figures, gotOut, isFault, isMove } from './figures.ts'
import { inject, type Mode, type TrialResult } from './inject.ts'
import { KINDS } from './kinds.ts'
import { cleanTable, describe, faultTable, moveTable, pairTable, targetTable } from './print.ts'
import { reachedTargets } from './targets.ts'

interface InjectionFlags {
  inject: number[]
  trials: number
  kind?: string[] | undefined
  pair?: string[] | undefined
  mode: Mode | 'both'
  fault: string
  inNeed: boolean
  examples: number
  json?: string | undefined
  check: boolean
  against?: string | undefined
}

/** `--inject`: prints the tables and returns the exit code. */
export async function runInjection(
  files: readonly ReplayFile[],
  flags: InjectionFlags,
): Promise<number> {
  const { inject: seeds, trials, pair: pairs, mode, fault, inNeed, json, against } = flags
  const market = marketOf(files).filter(({ pair }) => pairs?.includes(pairKey(pair)) ?? true)
  const modes: Mode[] = mode === 'both' ? ['two', 'alone'] : [mode]
  const kinds = flags.kind ?? null
  const options = { seeds, trials, kinds, modes, fault, inNeed }
  const injected = inject(market, options)

  const figures = new Figures(injected)
  console.log(faultTable(figures, modes))
  console.log(`\n${moveTable(figures, modes)}`)
  console.log(`\n${pairTable(injected)}`)
  console.log(`\n${cleanTable(injected)}`)
  for (const line of examples(injected.results, flags.examples)) console.log(line)
  const found = reachedTargets(figures)
  const base = against === undefined ? null : await guardOf(against)
  const other = base && reachedTargets(new Figures(inject(market, { ...options, guard: base })))
  console.log(`\n${targetTable(found, other ?? [])}`)
  if (json !== undefined)
    writeFileSync(json, injected.results.map((one) => `${lineOf(one)}\n`).join(''))
  return flags.check && found.some(({ isMet }) => !isMet) ? 1 : 0
}

/** Reads `--kind`. */
export function kinds(text: string): string[] {
  const known = [...KINDS.map(({ name }) => name as string), 'moves']
  const wrong = text.split(',').find((kind) => !known.includes(kind))
  if (wrong !== undefined) throw new UsageError(`no kind ${wrong}: ${known.join(', ')}`)
  return text.split(',')
}

/** Faults that got out, and the slowest moves. */
function examples(results: readonly TrialResult[], count: number): string[] {
  const out = results.filter((one) => isFault(one) && gotOut(one))
  const slow = results.filter(isMove).toSorted((a, b) => delayOf(b) - delayOf(a))
  return [...out.slice(0, count), ...slow.slice(0, count)].map(describe)
}

function lineOf({ mode, trial, outcome }: TrialResult): string {
  const { seed, pair, from } = trial
  const what =
    trial.what === 'fault'
      ? { fault: trial.kind, until: formatUtc(trial.until) }
      : { move: trial.step, withRelatives: trial.relativesAt !== null }
  return JSON.stringify({ mode, seed, pair, at: formatUtc(from), ...what, ...outcome })
}
