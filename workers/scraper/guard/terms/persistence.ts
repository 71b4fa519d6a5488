import { FAULT_MINUTES, MOST_PATIENCE } from '../weights.ts'
import type { Term } from './vote.ts'

/**
 * Persistence: what is true stays; a fault is mended, and the longer it stood the sooner. Some stay
 * for days, so patience is worth no more than a bound. An operator's rejection takes it away.
 */
export const persistence: Term = ({ minutes, status }) => [
  {
    term: 'persistence',
    points: status === 'rejected' ? 0 : Math.min(MOST_PATIENCE, (minutes / FAULT_MINUTES) ** 2),
    text: () => `said for ${minutes} min`,
  },
]
