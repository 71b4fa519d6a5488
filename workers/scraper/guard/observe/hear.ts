import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import { chooseRival, watchRival } from './freeze.ts'
import { isSameLevel } from './levels.ts'
import { MOST_SOURCES, type SourceMemory } from './memory.ts'

/** What is known of the sources once the candidates of a cycle are heard: latest first, bounded. */
export function hear(
  before: readonly SourceMemory[],
  candidates: readonly Candidate[],
  now: Instant,
): SourceMemory[] {
  const heard = candidates.map((candidate) => {
    const known = before.find(({ name }) => name === candidate.source)
    const { source: name, buy, sell } = candidate
    if (!known) return newSource(candidate, candidates, now)

    const stood = isSameLevel(known, candidate)
    return {
      ...known,
      name,
      buy,
      sell,
      seenAt: now,
      changedAt: stood ? known.changedAt : now,
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
  const { source: name, buy, sell } = candidate
  return {
    name,
    buy,
    sell,
    firstSeenAt: now,
    changedAt: null,
    seenAt: now,
    gapBuy: 0,
    gapSell: 0,
    samples: 0,
    rival: chooseRival(candidate, candidates, now),
  }
}
