import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import { accept, type Current, type Decision } from '../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../workers/scraper/pairs/candidate.ts'
import type { Observation } from './series.ts'

const CYCLE_MS = 5 * MINUTE_MS

/** One of the sources of a replay: at each cycle it says its latest observation. */
export interface ReplaySource {
  name: string
  provenance: string
  observations: readonly Observation[]
}

export interface Publication {
  at: Instant
  buy: number
  sell: number
  source: string
}

export interface Hold extends Publication {
  reason: string
  /** When the held value, or where it had moved, was published; null when it never was. */
  releasedAt: Instant | null
  /** When the guard no longer held it, published or not. */
  endedAt: Instant
}

export interface Simulation {
  /** How many sources spoke. */
  sources: number
  cycles: number
  publications: Publication[]
  holds: Hold[]
}

/** Runs the guard over a pair's recorded sources, one cycle every five minutes. */
export function simulate(pair: Pair, sources: readonly ReplaySource[]): Simulation {
  const instants = sources.flatMap(({ observations }) => observations.map(({ at }) => at))
  const start = Math.ceil(Math.min(...extremes(instants)) / CYCLE_MS) * CYCLE_MS
  const end = Math.max(...extremes(instants)) + 3 * 60 * MINUTE_MS

  const cursors = sources.map((source) => ({ source, next: 0 }))
  const publications: Publication[] = []
  const holds = new Holds()
  let current: Current | null = null
  let memory: unknown
  let cycles = 0
  for (let now = start; now <= end; now += CYCLE_MS, cycles += 1) {
    const candidates = cursors.flatMap((cursor) => latest(pair, cursor, now))
    const decision = decide({ pair, current, memory, candidates, now })
    memory = decision.memory
    if (decision.publish) {
      const { buy, sell, source } = decision.publish
      publications.push({ at: now, buy, sell, source })
      current = { buy, sell, source, updatedAt: now, lastScrapedAt: now }
    } else if (current && decision.confirmed) {
      current = confirmedAt(current, now)
    }
    holds.note(decision, now)
  }

  return { sources: sources.length, cycles, publications, holds: holds.all }
}

function confirmedAt(current: Current, now: Instant): Current {
  return { ...current, lastScrapedAt: now }
}

/**
 * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until September
 * 2024, the card dollar's 60 %): its first value is accepted as an operator would do it.
 */
function decide(
  input: Pick<Parameters<typeof accept>[0], 'pair' | 'current' | 'memory' | 'candidates' | 'now'>,
): Decision {
  const decision = accept({ ...input, failed: [], operator: null })
  if (input.current || !decision.held || decision.held.reason === 'unsettled') return decision

  const { buy, sell } = decision.held.candidate
  return accept({ ...input, failed: [], operator: { buy, sell, verdict: 'accepted' } })
}

function latest(
  pair: Pair,
  cursor: { source: ReplaySource; next: number },
  now: Instant,
): Candidate[] {
  const { name, provenance, observations } = cursor.source
  while ((observations[cursor.next]?.at ?? Infinity) <= now) cursor.next += 1

  const said = observations[cursor.next - 1]
  if (!said) return []
  return [{ pair, source: name, provenance, sameDefinition: true, buy: said.buy, sell: said.sell }]
}

/** `Math.min(...)` of a long list overflows the stack; the first and last of each sort suffice. */
function extremes(instants: readonly Instant[]): [Instant, Instant] {
  const sorted = instants.toSorted((a, b) => a - b)
  return [sorted[0] ?? 0, sorted.at(-1) ?? 0]
}

/** The holds of a pair: one for as long as the guard holds the same source back for the same reason. */
class Holds {
  readonly all: Hold[] = []
  #open: Hold | null = null

  note({ publish, held }: Decision, now: Instant) {
    const open = this.#open
    if (open && held?.candidate.source === open.source && held.reason === open.reason) {
      open.endedAt = now
      return
    }
    if (open) {
      open.endedAt = now
      open.releasedAt = publish && isAbout(publish, open) ? now : null
    }
    this.#open = null
    if (!held) return

    const { buy, sell, source } = held.candidate
    this.#open = { at: now, buy, sell, source, reason: held.reason, releasedAt: null, endedAt: now }
    this.all.push(this.#open)
  }
}

function isAbout(publish: Candidate, hold: Hold): boolean {
  return (
    Math.abs(publish.sell / hold.sell - 1) < 0.05 && Math.abs(publish.buy / hold.buy - 1) < 0.05
  )
}
