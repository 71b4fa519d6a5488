import { residentMiB } from '../harness/resident-memory.ts'

const TENTHS = 10

/** Resident memory of the runtime through the run, in MiB: kept as tenths, whatever its length. */
export class MemoryLog {
  readonly #from: number
  readonly #spanMs: number
  readonly #tenths: number[][] = Array.from({ length: TENTHS }, () => [])

  constructor(from: number, spanMs: number) {
    this.#from = from
    this.#spanMs = spanMs
  }

  /** Samples a process; one that is gone has no memory. */
  sample(pid: number, now: number): void {
    const mebibytes = residentMiB(pid)
    const tenth = Math.floor(((now - this.#from) / this.#spanMs) * TENTHS)
    if (mebibytes !== null)
      this.#tenths[Math.min(Math.max(tenth, 0), TENTHS - 1)]!.push(Math.round(mebibytes))
  }

  rows(): { tenth: number; samples: number; min: number; median: number; max: number }[] {
    return this.#tenths.flatMap((samples, index) => {
      const sorted = samples.toSorted((a, b) => a - b)
      if (sorted.length === 0) return []
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
      return [{ tenth: index + 1, samples: sorted.length, min: at(0), median: at(0.5), max: at(1) }]
    })
  }
}
