import type { Bench } from './bench.ts'
import { dates } from './dates.ts'
import { edge } from './edge.ts'

/** Every bench, in the order in which they run. */
export const benches: readonly Bench[] = [edge, dates]
