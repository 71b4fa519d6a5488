import { readFileSync } from 'node:fs'

/**
 * Milliseconds of processor time that a process has used, the kernel's work for it included. The
 * kernel counts in hundredths of a second.
 */
export function processorMsOf(pid: number | string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user! + system!) * 10
}
