import { distance, heavy } from '../level.ts'
import { MILLION } from '../memory.ts'
import { KNOWN_CYCLES, MISTYPED, ODD_SCALE, ODD_SPREAD } from '../weights.ts'
import { percent, type Term } from './vote.ts'

/** Mistyped sides make any spread within some 30 %. */
const ANY_SPREAD = 1 / 0.6

/** Spread: near what this source's spread usually is, or anything because one side is mistyped. */
export const spread: Term = ({ source, usual }) => {
  const { spread, spreadNoise, spreads } = source.habits
  if (source.onlySell || spreads < KNOWN_CYCLES) return []

  const now = distance(source.buy, source.sell)
  const scale = Math.hypot(usual.step / 2, (1.25 * spreadNoise) / MILLION)
  const off = now - spread / MILLION
  const like = heavy(off, scale)
  const odd = Math.exp(-Math.abs(off) / ODD_SCALE) / (2 * ODD_SCALE)
  const points = Math.log(
    ((1 - ODD_SPREAD) * like + ODD_SPREAD * odd) / ((1 - MISTYPED) * like + MISTYPED * ANY_SPREAD),
  )
  return [
    {
      term: 'spread',
      points,
      text: () => `spread ${percent(now)}, usual ${percent(spread / MILLION)}`,
    },
  ]
}
