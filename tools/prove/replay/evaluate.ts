import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { type Classified, classify, type Move, sideStep, stepBetween } from './oracle.ts'
import { countUntil, type ReplaySource } from './simulate.ts'
import type { Hold, Publication, Simulation } from './simulation.ts'
import { isSlip } from './slips.ts'

/** Two sources that make the same move within this time made one move. */
const SAME_MOVE_MS = 36 * 60 * MINUTE_MS

/** A shorter hold is a second look, two cycles long. */
const SHORT_HOLD_MINUTES = 10

export type PairReport = ReturnType<typeof evaluate>

/** Evaluates a simulation by what the oracle says of each source. */
export function evaluate(
  pair: Pair,
  sources: readonly ReplaySource[],
  { publications, holds }: Simulation,
) {
  const classified = sources.map((source) => ({ source, ...classify(pair, source.observations) }))
  const labelOf = (name: string, at: Instant) => {
    const one = classified.find(({ source }) => source.name === name)
    return one?.classified[countUntil(one.classified, at) - 1]
  }
  const published = (label: string) =>
    publications.filter(({ source, at }) => labelOf(source, at)?.label === label)
  const settled = holds.filter(({ source, at }) => labelOf(source, at)?.label === 'settled')
  const isSlipOf = ({ source, at }: Hold) =>
    isSlip(pair, sources.find(({ name }) => name === source)?.observations ?? [], at)
  const correct = settled.filter((hold) => !isSlipOf(hold))
  const late = correct.filter(({ minutes }) => minutes > SHORT_HOLD_MINUTES)

  return {
    changes: publications.length,
    grossPublished: published('gross-fault'),
    /** Faults that were published though another source stood where it had been. */
    contradicted: publications.filter(({ source, at }) => {
      const label = labelOf(source, at)
      return label && label.label !== 'settled' && isContradicted(classified, label, source, at)
    }),
    moves: mergeMoves(classified.map(({ moves }) => moves)).map((sights) =>
      reportMove(sights, publications),
    ),
    /** Correct values held for more than ten minutes. */
    correctHeld: late.length,
    /** In minutes, nights included. */
    longestCorrectHold: Math.max(0, ...correct.map(({ minutes }) => minutes)),
  }
}

/** Whether a source of another origin made less than a third of the faulty step since it began. */
function isContradicted(
  classified: readonly { source: ReplaySource; classified: readonly Classified[] }[],
  fault: Classified,
  name: string,
  at: Instant,
): boolean {
  const own = classified.find(({ source }) => source.name === name)!
  const began = own.classified.findIndex(({ event }) => event === fault.event)
  const before = own.classified[began - 1]
  if (!before) return false
  return classified.some(({ source: { provenance }, classified: others }) => {
    const then = others[countUntil(others, before.at) - 1]
    const reading = others[countUntil(others, at) - 1]
    if (provenance === own.source.provenance || !then || reading?.label !== 'settled') return false
    return stepBetween(then, reading) < stepBetween(before, fault) / 3
  })
}

/**
 * Groups the moves of all sources: sights of the same move by different sources come together.
 * What only the second source did to its `buy` is its own affair.
 */
function mergeMoves(bySource: readonly (readonly Move[])[]): Move[][] {
  const [first = [], ...others] = bySource
  const left = others.map((moves) => [...moves])
  const merged = first.map((move) => {
    const sights = left.flatMap((moves) => {
      const index = moves.findIndex((other) => isSameMove(move, other))
      return index < 0 ? [] : moves.splice(index, 1)
    })
    return [move, ...sights]
  })
  const alone = left.flat().filter(({ sides }) => sides.includes('sell'))
  return [...merged, ...alone.map((move) => [move])]
}

function isSameMove(one: Move, other: Move): boolean {
  return Math.abs(one.at - other.at) <= SAME_MOVE_MS && isUp(one) === isUp(other)
}

function isUp({ from, to }: Move): boolean {
  return to.sell + to.buy > from.sell + from.buy
}

/** A move arrived when the sides that moved were published nearer to its end than a third of it. */
function reportMove(sights: readonly Move[], publications: readonly Publication[]) {
  const [move] = sights.toSorted((a, b) => a.at - b.at) as [Move, ...Move[]]
  const before = publications.findLastIndex(({ at }) => at < move.at)
  const arrived = publications
    .slice(Math.max(before, 0))
    .find((publication) => sights.some((sight) => isArrival(sight, publication)))
  const minutes = (from: Instant) =>
    arrived ? Math.max(0, Math.round((arrived.at - from) / MINUTE_MS)) : null
  const confirmedAt = sights.length > 1 ? Math.max(...sights.map(({ at }) => at)) : null

  return {
    at: move.at,
    from: move.from.sell,
    to: move.to.sell,
    /** Minutes from the first sight in any source until it was published; null when it never was. */
    delay: minutes(move.at),
    /** Minutes from the sight in the second source; null when only one source made the move. */
    delayConfirmed: confirmedAt === null ? null : minutes(confirmedAt),
  }
}

function isArrival({ from, to, sides }: Move, publication: Publication): boolean {
  return sides.every(
    (side) => sideStep(to[side], publication[side]) <= sideStep(from[side], to[side]) / 3,
  )
}
