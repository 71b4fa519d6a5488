import type { CycleReport } from '../../workers/scraper/cycle.ts'
import type { CycleOrder } from '../../workers/standalone/local/order.ts'
import type { Control } from '../local/control.ts'

/**
 * The first cycle of a start, and how the following ones are to see the world: as ordered, or the
 * demo market when sources were asked and not one answered. `--upstream` never switches
 * (decision 59).
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
