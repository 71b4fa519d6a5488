import { readFileSync } from 'node:fs'

/** Resident memory of a process in MiB; null when it is gone. */
export function residentMiB(pid: number): number | null {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? null : Number(kibibytes) / 1024
  } catch {
    return null
  }
}
