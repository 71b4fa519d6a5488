import { Big } from 'big.js'
import { type Instant, MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import type { Mode } from '../../shared/board/board.ts'
import { setting, type Variables } from '../../shared/config/config.ts'
import { CRONS, runJob } from '../../shared/cron.ts'
import { log } from '../../shared/log.ts'
import { type CycleEnv, type CycleReport, runCycle } from './cycle.ts'
import { LEASE_MS } from './db/cycles.ts'

export interface ScraperEnv extends CycleEnv, Pick<Variables, 'TARJETA_RATE'> {
  BOARD: KVNamespace
}

/** What the platform provides. `npm start` replaces the network with a simulated market. */
export interface ScraperDeps {
  now: () => Instant
  fetch: typeof fetch
  mode: Mode
  everySeconds: number
}

/**
 * The two crons: the cycle, and the files of closed days. Only the second cron loads the code that
 * writes files, so that a cycle does not spend CPU on loading it.
 */
export function createScraper({ now, fetch }: Pick<ScraperDeps, 'now' | 'fetch'>) {
  return {
    async scheduled({ cron, scheduledTime }: ScheduledController, env: ScraperEnv): Promise<void> {
      switch (cron) {
        case CRONS.cycle: {
          await scrape(env, { now, fetch, mode: 'live', everySeconds: 300 }, scheduledTime)
          return
        }
        case CRONS.files:
          return makeNightlyFiles(env, now)
        default:
          log('unknown_cron', { cron })
      }
    },
  }
}

/** Shorter than the lease, so that a cycle that is given up ends before the next cycle starts. */
export const CYCLE_LIMIT_MS = LEASE_MS - 20 * SECOND_MS
const FILES_LIMIT_MS = 5 * MINUTE_MS

/** Runs a cycle with a Worker's bindings, and logs one line about its outcome. */
export async function scrape(
  env: ScraperEnv,
  deps: ScraperDeps,
  scheduledAt: Instant,
): Promise<CycleReport> {
  const report = await runJob('cycle_failed', CYCLE_LIMIT_MS, () =>
    runCycle(
      env,
      {
        ...deps,
        tarjetaRate: new Big(setting(env, 'TARJETA_RATE')),
        newToken: () => crypto.randomUUID(),
      },
      scheduledAt,
    ),
  )
  log('cycle', { ...report })
  return report
}

/** Makes the nightly files, if they are due. */
export function makeNightlyFiles(env: ScraperEnv, now: () => Instant): Promise<void> {
  return runJob('nightly_files_failed', FILES_LIMIT_MS, async () => {
    const { updateFiles } = await import('./nightly/nightly-files.ts')
    await updateFiles(env, now)
  })
}
