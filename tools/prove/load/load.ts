import type { Memory } from '../harness/memory.ts'
import type { Task, Told } from '../harness/tasks.ts'

/** One kind of load: a file in this folder, listed in loads.ts. */
export type Load = Task<LoadResult, { seconds: number }>
export type LoadOptions = { seconds: number } & Told

export interface LoadResult {
  requests: number
  perSecond: number
  /** Unexpected and missing answers. */
  errors: number
  /** Milliseconds; null where no answer is timed. */
  latency: { p50: number; p97_5: number; p99: number; max: number } | null
  memory: Memory
  /** How often each status, or whatever else was counted, came. */
  counts: Record<string, number>
  /** Failures, in words; a load without any is good. */
  problems: string[]
  /** Figures that have no column, in words. */
  remarks: string[]
}
