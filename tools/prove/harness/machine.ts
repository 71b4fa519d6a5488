import { cpus, loadavg, totalmem } from 'node:os'
import { createRequire } from 'node:module'

export function thisMachine() {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    workerd: version,
    /** The load average of a minute when the run began. */
    load: loadNow(),
  }
}

/** Programs that ran or waited to run in the last minute, on average. */
export function loadNow(): number {
  return Math.round(loadavg()[0]! * 10) / 10
}

/** `loadAfter` has the work of the run itself in it; what was before it was other work. */
export function describeMachine(
  machine: ReturnType<typeof thisMachine>,
  loadAfter: number,
): string {
  const { date, processor, cores, memoryGiB, system, node, workerd, load } = machine
  const what = `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, workerd ${workerd}`
  const busy = load > cores / 2 ? ': the machine was busy, so times and rates say little' : ''
  return `${date}: ${what}\nload average ${load} before, ${loadAfter} after${busy}`
}
