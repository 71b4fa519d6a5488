import type { CycleReport } from '../../workers/scraper/cycle.ts'
import type { CycleOrder } from '../../workers/standalone/local/order.ts'
import type { Control } from '../local/running.ts'

/**
 * Runs the first cycle of a start and returns the order of the following ones: the given one, or
 * the demo market's when no source answered. `--upstream` never switches (decision 59).
 */
export async function firstCycle(
  control: Pick<Control, 'cycle'>,
  order: CycleOrder,
  openDemo: () => Promise<CycleOrder>,
): Promise<CycleOrder> {
  const report = await control.cycle({ ...order, impatient: order.mode === 'live' })
  if (order.mode !== 'live' || !noneAnswered(report)) return order

  const demo = await openDemo()
  await control.cycle(demo)
  return demo
}

function noneAnswered(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.asked > 0 && report.answered === 0
}
