import { sharded } from './design.ts'
import type { Load } from './play.ts'
import { dayTable, designTable, limitsTable, priceLine } from './tables.ts'

export const SCALE_PAGE = 'docs/scale.md'

/** A hundred times as much. */
export const HUNDREDFOLD: Load = {
  seed: 1,
  webhooks: 1_000_000,
  deliveries: 10_000_000,
  reads: 1000,
}

/** The databases of the design. */
export const DATABASES = 8

/** What the command prints and the page shows, by the names of the page's comments. */
export function scaleTables(load: Load, databases: number) {
  return {
    day: () => dayTable(load),
    limits: () => limitsTable(load),
    design: () => designTable(load),
    'design-limits': () => limitsTable(load, sharded(databases)),
    price: () => priceLine(load),
  }
}
