import type { Deployment } from '../../shared/api/operation.ts'

/** A deployment with the settings of wrangler.toml. */
export function aDeployment(origin: string, changes: Partial<Deployment> = {}): Deployment {
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
