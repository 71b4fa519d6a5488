import { LEAVES_RELATIVES } from '../weights.ts'
import { percent, type Term } from './vote.ts'
import { likelihood, stillSilent } from './witness.ts'

/**
 * Relatives: related pairs are one more voice, their median. They move with the market, within what
 * they stray by themselves; but a regime may change for one pair alone.
 */
export const relatives: Term = ({ relatives, baseline, moved, minutes, usual }) => {
  if (!relatives || !baseline) return []

  const silent = stillSilent(LEAVES_RELATIVES, minutes)
  const noise = Math.hypot(usual.step, 1.25 * relatives.noise)
  const points = likelihood({
    at: relatives.at,
    to: moved.sell,
    off: relatives.at - moved.sell,
    noise,
    fine: noise,
    silent,
  })
  return [
    {
      term: 'relatives',
      points,
      text: () => `relatives at ${percent(Math.expm1(relatives.at))}`,
    },
  ]
}
