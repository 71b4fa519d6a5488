import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import { chooseRival, watchRival } from './freeze.ts'
import { isSameLevel } from './levels.ts'
import { MOST_SOURCES, type SourceMemory } from './memory.ts'
import { learnInterval } from './rhythm.ts'

/** Counting stops here: a week of cycles. */
const MOST_STOOD = 2016

/** Cycles after which a source rests at a level. */
const RESTED = 6

/** What is known of the sources once the candidates of a cycle are heard: latest first, bounded. */
export function observe(
  before: readonly SourceMemory[],
  candidates: readonly Candidate[],
  now: Instant,
): SourceMemory[] {
  const heard = candidates.map((candidate) => {
    const known = before.find(({ name }) => name === candidate.source)
    const { provenance, sameDefinition, buy, sell } = candidate
    if (!known) return newSource(candidate, candidates, now)

    const stood = isSameLevel(known, candidate)
    return {
      ...known,
      provenance,
      sameDefinition,
      buy,
      sell,
      seenAt: now,
      changedAt: stood ? known.changedAt : now,
      rested: stood && known.stood >= RESTED ? { buy, sell } : known.rested,
      previous: stood ? known.previous : { buy: known.buy, sell: known.sell },
      leftBehind: stood && known.leftBehind,
      stood: stood ? Math.min(known.stood + 1, MOST_STOOD) : 0,
      usual: stood
        ? known.usual
        : { ...known.usual, interval: learnInterval(known.usual, known.stood) },
      rival: stood
        ? watchRival(known, candidate, candidates, before, now)
        : chooseRival(candidate, candidates, now),
    }
  })
  const silent = before.filter(({ name }) => !heard.some((source) => source.name === name))

  return [...heard, ...silent].slice(0, MOST_SOURCES)
}

function newSource(
  candidate: Candidate,
  candidates: readonly Candidate[],
  now: Instant,
): SourceMemory {
  const { source: name, provenance, sameDefinition, buy, sell } = candidate
  return {
    name,
    provenance,
    sameDefinition,
    buy,
    sell,
    seenAt: now,
    firstSeenAt: now,
    changedAt: null,
    stood: 0,
    rested: { buy, sell },
    previous: { buy, sell },
    leftBehind: false,
    usual: {
      basisBuy: 0,
      basisSell: 0,
      noise: 0,
      samples: 0,
      spreads: 0,
      spreadLow: 0,
      spreadHigh: 0,
      interval: 0,
    },
    rival: chooseRival(candidate, candidates, now),
  }
}
