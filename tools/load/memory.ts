import { execFileSync } from 'node:child_process'

/** Resident memory of a process over a load. */
export interface Memory {
  /** MiB, every few seconds. */
  samples: number[]
  /** MiB: the middle sample after the warm-up. */
  typical: number
  peak: number
  /** MiB a minute after the warm-up, by least squares. */
  slope: number
  /** MiB by which that line grows from the end of the warm-up to the end. */
  growth: number
  grows: boolean
}

const EVERY_MS = 2000

/** The share of a run in which the runtime compiles and fills its caches. */
const WARM_UP = 1 / 2

/** Growth that is still noise: pages that the collector has not given back yet. */
const NOISE_MIB = 16
const NOISE_SHARE = 0.05

/** Watches a process until `stop`, which judges what it saw. */
export function watchMemory(pid: number): { stop(): Memory; [Symbol.dispose](): void } {
  const samples = [residentMiB(pid)]
  const timer = setInterval(() => samples.push(residentMiB(pid)), EVERY_MS)

  return {
    stop() {
      clearInterval(timer)
      samples.push(residentMiB(pid))
      return judgeMemory(samples, EVERY_MS)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** Flat means: after the first half, the line through the samples grows by no more than noise. */
export function judgeMemory(samples: readonly number[], everyMs: number): Memory {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP))
  const typical = warm.toSorted((a, b) => a - b)[Math.floor(warm.length / 2)]!
  const perSample = slopeOf(warm)
  const growth = perSample * (warm.length - 1)

  return {
    samples: samples.map(Math.round),
    typical: Math.round(typical),
    peak: Math.round(Math.max(...samples)),
    slope: Math.round((perSample * 600_000) / everyMs) / 10,
    growth: Math.round(growth * 10) / 10,
    grows: growth > Math.max(NOISE_MIB, NOISE_SHARE * typical),
  }
}

/** Of the straight line nearest to the values, a step apart. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let covariance = 0
  let variance = 0
  for (const [index, value] of values.entries()) {
    covariance += (index - middle) * (value - mean)
    variance += (index - middle) ** 2
  }
  return variance === 0 ? 0 : covariance / variance
}

function residentMiB(pid: number): number {
  const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kib) / 1024
}
