import type { Instant } from '../../shared/argentine-time.ts'
import type { Mode } from '../../shared/board/board.ts'
import { log } from '../../shared/log.ts'
import { type CycleEnv, type CycleReport, runCycle } from './cycle.ts'
import { parseTarjetaRate } from './pairs/derive/tarjeta.ts'

export interface ScraperEnv extends CycleEnv {
  /** The perception on card purchases as a fraction, `0.30`. */
  TARJETA_RATE: string
}

/** Platform deps. The local start replaces the network by its own market. */
export interface ScraperDeps {
  now: () => Instant
  fetch: typeof fetch
  mode: Mode
  /** Whether every source is asked in every cycle, at any hour (demo and replays). */
  everySource: boolean
  everySeconds: number
}

/** Runs a cycle with a Worker's bindings and logs one line of what it did. */
export async function scrape(
  env: ScraperEnv,
  deps: ScraperDeps,
  scheduledAt: Instant,
): Promise<CycleReport> {
  const report = await runCycle(
    env,
    {
      ...deps,
      replayed: deps.mode === 'upstream',
      tarjetaRate: parseTarjetaRate(env.TARJETA_RATE),
      newToken: () => crypto.randomUUID(),
    },
    scheduledAt,
  )
  log('cycle', { ...report })
  return report
}
