import { writeFileSync } from 'node:fs'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { marketOf } from '../replay.ts'
import type { ReplayFile } from '../roles.ts'
import { delayOf, Figures, gotOut, isFault, isMove } from './figures.ts'
import { inject, type InjectOptions, type Mode, type TrialResult } from './inject.ts'
import { KINDS } from './kinds.ts'
import { cleanTable, describe, faultTable, moveTable, pairTable, verdictTable } from './print.ts'
import { verdicts } from './targets.ts'

export interface InjectionFlags {
  inject: string
  trials: string
  kind?: string
  pair?: string
  mode: string
  fault: string
  'in-need': boolean
  examples: string
  json?: string
  check: boolean
}

/** `--inject`: prints the tables and returns the exit code. */
export function runInjection(files: readonly ReplayFile[], flags: InjectionFlags): number {
  const pairs = flags.pair?.split(',')
  const market = marketOf(files).filter(({ pair }) => pairs?.includes(pairKey(pair)) ?? true)
  const options = optionsOf(flags)
  const { modes } = options
  const injected = inject(market, options)

  const figures = new Figures(injected)
  console.log(faultTable(figures, modes))
  console.log(`\n${moveTable(figures, modes)}`)
  console.log(`\n${pairTable(injected)}`)
  console.log(`\n${cleanTable(injected)}`)
  for (const line of examples(injected.results, Number(flags.examples))) console.log(line)
  const found = verdicts(figures)
  console.log(`\n${verdictTable(found)}`)
  if (flags.json !== undefined) {
    writeFileSync(flags.json, injected.results.map((one) => `${lineOf(one)}\n`).join(''))
  }
  return flags.check && found.some(({ isMet }) => !isMet) ? 1 : 0
}

function optionsOf(flags: InjectionFlags): InjectOptions {
  const known = [...KINDS.map(({ name }) => name as string), 'moves']
  const kinds = flags.kind?.split(',') ?? null
  const wrong = kinds?.find((kind) => !known.includes(kind))
  if (wrong !== undefined) throw new Error(`no kind ${wrong}: ${known.join(', ')}`)

  return {
    seeds: flags.inject.split(',').map((seed) => wholeNumber('--inject', seed)),
    trials: wholeNumber('--trials', flags.trials),
    kinds,
    modes: modesOf(flags.mode),
    fault: flags.fault,
    inNeed: flags['in-need'],
  }
}

function modesOf(mode: string): Mode[] {
  if (mode === 'two' || mode === 'alone') return [mode]
  if (mode === 'both') return ['two', 'alone']
  throw new Error(`--mode two, alone or both, not ${mode}`)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} takes whole numbers, not ${text}`)
  return Number(text)
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
