import type { Memory } from '../harness/memory.ts'
import type { Task } from '../harness/tasks.ts'

/** One kind of load: a file in this folder, listed in loads.ts. */
export type Load = Task<LoadResult, { seconds: number }>

export interface LoadResult {
  requests: number
  perSecond: number
  /** Unexpected and missing answers. */
  errors: number
  /** Milliseconds. */
  latency: { p50: number; p97_5: number; p99: number; max: number }
  memory: Memory
  /** How often each status came. */
  counts: Record<string, number>
  /** Failures, in words; a load without any is good. */
  problems: string[]
  /** Figures that have no column, in words. */
  remarks: string[]
}
