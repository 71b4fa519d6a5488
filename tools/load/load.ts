import type { Memory } from './memory.ts'

/** One kind of load: a file in this folder, listed in loads.ts. */
export interface Load {
  /** As `--only` names it. */
  name: string
  summary: string
  run(options: LoadOptions): Promise<LoadResult>
}

export interface LoadOptions {
  /** How long the load lasts. */
  seconds: number
  /** A line about the work; on standard error. */
  progress: (line: string) => void
}

/** What a load met. */
export interface LoadResult {
  requests: number
  perSecond: number
  /** Answers that were not the expected ones, none at all among them. */
  errors: number
  /** Milliseconds; null where what counts is not the answer's time. */
  latency: { p50: number; p97_5: number; p99: number; max: number } | null
  memory: Memory
  /** How often each status, or whatever else was counted, came. */
  counts: Record<string, number>
  /** What must not be, in words; a load without any is good. */
  problems: string[]
  /** Figures that have no column, in words. */
  remarks: string[]
}
