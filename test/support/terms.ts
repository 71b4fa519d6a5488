import type { Terms } from '../../shared/api/operation.ts'

/** The terms of a deployment as wrangler.toml has it. */
export function aTerms(origin: string, changes: Partial<Terms> = {}): Terms {
  return {
    origin,
    dateReads: 20,
    unknownKeys: 30,
    dailyBudget: 20_000,
    waits: [30, 300, 1800],
    compatibility: true,
    ...changes,
  }
}
