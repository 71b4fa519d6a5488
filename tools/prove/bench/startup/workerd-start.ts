/** Starts `workerd serve` once and reads the CPU time of its process, of all its threads. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../support/until.ts'
import { served, startWorkerd } from '../edge/raw-workerd.ts'
import type { Served } from '../edge/workerd-config.ts'

/** What a start of the runtime is made with. */
export interface Start {
  /** The Worker's module, a file of the folder. */
  file: string
  /** Other modules. One that nothing imports is parsed by the runtime, which goes no further. */
  beside?: readonly string[]
  /** Requested once when everything runs; without one nothing is requested. */
  path?: string
}

/** Milliseconds of CPU since the process began. */
export interface Spent {
  /** When its Workers are there: another one has answered. */
  ready: number
  /** When the path has been answered; the same as `ready` without one. */
  answered: number
}

/** Answers at once, whatever it is asked. */
export const CONSTANT = `export default { fetch: () => Response.json({}) }`

/** Reads KV first, so that the stand-in for KV has started: its CPU is not the Worker's. */
const BESIDE = `export default {
  fetch: async (_, { BOARD }) => Response.json({ board: await BOARD.get('board') })
}`

const SETTLE_MS = 50
const PATIENCE = { everyMs: 20, atMostMs: 30_000, failure: 'workerd did not start' }

/** Starts the runtime with this Worker and one beside it that answers a constant. */
export async function startOnce(
  folder: string,
  { file, beside: others, path }: Start,
): Promise<Spent> {
  const worker: Served = { ...(await served('edge', file)), beside: others }
  const beside = await served('beside', 'beside.js')
  writeFileSync(join(folder, beside.file), BESIDE)
  const server = startWorkerd(folder, [worker, beside])
  try {
    await until(() => answers(beside.ports[0]!, '/'), PATIENCE)
    const ready = await settledCpu(server.pid!)
    if (path === undefined) return { ready, answered: ready }

    if (!(await answers(worker.ports[0]!, path))) throw new Error(`${file} did not answer ${path}`)
    return { ready, answered: await settledCpu(server.pid!) }
  } finally {
    server.kill()
  }
}

function answers(port: number, path: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    async (response) => response.ok && (await response.text()) !== '',
    () => false,
  )
}

/** The CPU time once it no longer grows. */
async function settledCpu(pid: number): Promise<number> {
  for (let before = -1, now = cpuOf(pid); ; before = now, now = cpuOf(pid)) {
    if (now === before) return now
    await sleep(SETTLE_MS)
  }
}

/** Linux counts each thread's time in nanoseconds. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
