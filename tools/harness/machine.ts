import { cpus, totalmem } from 'node:os'
import { createRequire } from 'node:module'

export interface Machine {
  date: string
  processor: string
  cores: number
  memoryGiB: number
  system: string
  node: string
  workerd: string
}

export function thisMachine(): Machine {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    workerd: version,
  }
}

export function describeMachine(machine: Machine): string {
  const { date, processor, cores, memoryGiB, system, node, workerd } = machine
  return `${date}: ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, workerd ${workerd}`
}
