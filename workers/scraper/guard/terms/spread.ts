import { distance, heavy } from '../level.ts'
import { MILLION } from '../memory.ts'
import { isOneNumber } from '../subject.ts'
import { KNOWN_CYCLES, MISTYPED, ODD_SPREAD } from '../weights.ts'
import { percent, type Term } from './vote.ts'

/** Mistyped sides make any spread within some 30 %. */
const ANY_SPREAD = 1 / 0.6

/** Spread: near what this source's spread usually is, or anything because one side is mistyped. */
export const spread: Term = ({ source, usual }) => {
  const { spread, spreadNoise, spreads } = source.habits
  if (isOneNumber(source) || spreads < KNOWN_CYCLES) return []

  const now = distance(source.buy, source.sell)
  const scale = Math.hypot(usual.step / 2, (1.25 * spreadNoise) / MILLION)
  const like = heavy(now - spread / MILLION, scale)
  const points = Math.log(
    ((1 - ODD_SPREAD) * like + ODD_SPREAD * ANY_SPREAD) /
      ((1 - MISTYPED) * like + MISTYPED * ANY_SPREAD),
  )
  return [
    {
      term: 'spread',
      points,
      words: () => `spread ${percent(now)}, usual ${percent(spread / MILLION)}`,
    },
  ]
}
