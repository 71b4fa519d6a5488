import { readFileSync } from 'node:fs'
import { linearRegression, median } from 'simple-statistics'

/** Resident memory of a process over a load, its warm-up left out, in MiB. */
export type Memory = ReturnType<typeof judgeMemory>

const EVERY_MS = 2000

/** Growth that is still noise: pages that the collector has not given back yet. */
const NOISE_MIB = 16
const NOISE_SHARE = 0.05

/** Watches a process until `stop`, which judges what it saw. */
export function watchMemory(pid: number): { stop(): Memory; [Symbol.dispose](): void } {
  const samples = [memoryOf(pid)]
  const timer = setInterval(() => samples.push(memoryOf(pid)), EVERY_MS)

  return {
    stop() {
      clearInterval(timer)
      samples.push(memoryOf(pid))
      return judgeMemory(samples, EVERY_MS)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/**
 * Flat means: the line through the second half grows by no more than noise. A warm-up that lasts
 * longer on a busy machine ends in the first half; a leak goes on in both.
 */
export function judgeMemory(samples: readonly number[], everyMs: number) {
  const typical = median([...samples])
  const half = samples.slice(Math.floor(samples.length / 2))
  const perSample = linearRegression(half.map((value, index) => [index, value])).m
  const growth = perSample * (half.length - 1)

  return {
    samples: samples.map(Math.round),
    typical: Math.round(typical),
    peak: Math.round(Math.max(...samples)),
    /** A minute, in the second half, by least squares. */
    slope: Math.round((perSample * 600_000) / everyMs) / 10,
    /** By how much that line grows from the middle to the end. */
    growth: Math.round(growth * 10) / 10,
    grows: growth > Math.max(NOISE_MIB, NOISE_SHARE * typical),
  }
}

/** The slices of a warm-up. It is over when `STILL` in a row grow by less than `SETTLED`. */
const SLICE_SECONDS = 10
const SLICES = 18
const STILL = 2
const SETTLED = 0.02

/**
 * Runs a load until the memory of the process has settled, three minutes at most. The runtime
 * compiles, and lets its heaps grow before it collects. Memory that never settles is judged by the
 * load itself.
 */
export async function warmUp(
  pid: number,
  load: (seconds: number) => Promise<unknown>,
): Promise<number> {
  let still = 0
  for (let slice = 1; slice <= SLICES; slice++) {
    const before = memoryOf(pid)
    await load(SLICE_SECONDS)
    still = memoryOf(pid) < before * (1 + SETTLED) ? still + 1 : 0
    if (still === STILL) return slice * SLICE_SECONDS
  }
  return SLICES * SLICE_SECONDS
}

/** Resident memory in MiB; 0 when the process is gone. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Memory by tenths of a run, for one whose process is killed and started again. */
export class MemoryLog {
  readonly #from: number
  readonly #spanMs: number
  readonly #samples: { tenth: number; mebibytes: number }[] = []

  constructor(from: number, spanMs: number) {
    this.#from = from
    this.#spanMs = spanMs
  }

  /** Samples a process, unless it is gone. */
  sample(pid: number, now: number): void {
    const mebibytes = Math.round(memoryOf(pid))
    const tenth = Math.min(10, 1 + Math.floor(((now - this.#from) / this.#spanMs) * 10))
    if (mebibytes > 0) this.#samples.push({ tenth, mebibytes })
  }

  rows(): { tenth: number; samples: number; min: number; median: number; max: number }[] {
    return [...Map.groupBy(this.#samples, ({ tenth }) => tenth)].map(([tenth, samples]) => {
      const all = samples.map(({ mebibytes }) => mebibytes)
      const [least, most] = [Math.min(...all), Math.max(...all)]
      return { tenth, samples: all.length, min: least, median: Math.round(median(all)), max: most }
    })
  }
}
