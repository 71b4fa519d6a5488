import { Big } from 'big.js'
import type { CycleDeps } from '../../workers/scraper/cycle.ts'

/** What a cycle needs, changed only where a test speaks of it; each has a token of its own. */
export function cycleDeps(
  own: Pick<CycleDeps, 'now' | 'fetch'> & Partial<Pick<CycleDeps, 'mode' | 'everySource'>>,
): CycleDeps {
  return {
    mode: 'live',
    everySource: false,
    everySeconds: 300,
    tarjetaRate: new Big('0.30'),
    newToken: () => crypto.randomUUID(),
    ...own,
  }
}
