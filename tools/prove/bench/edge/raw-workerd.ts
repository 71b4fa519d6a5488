/** Raw `workerd serve`, and `wrk` (Debian's package of that name) that sends it requests. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../../../support/listen.ts'
import { until } from '../../../support/until.ts'
import { type Served, workerdFiles } from './workerd-config.ts'

const PATIENCE = { everyMs: 100, atMostMs: 10_000, failure: 'a server did not answer' }

/** What is requested again and again: a path of a server, with a header or without. */
export interface Target {
  port: number
  path: string
  header: string | null
}

export async function served(name: string, file: string): Promise<Served> {
  return { name, file, ports: [await freePort()] }
}

/** Starts these Workers, whose files are in the folder, in one process. */
export function startWorkerd(
  folder: string,
  servers: readonly Served[],
  { kv, args = [] }: { kv?: string; args?: readonly string[] } = {},
): ChildProcess {
  for (const [file, text] of Object.entries(workerdFiles(servers, kv)))
    writeFileSync(join(folder, file), text)
  const workerd = (createRequire(import.meta.url)('workerd') as { default: string }).default
  return spawn(workerd, ['serve', 'config.capnp', ...args], { cwd: folder, stdio: 'ignore' })
}

/** Waits until the path is answered. */
export async function untilAnswered({ port, path }: Pick<Target, 'port' | 'path'>): Promise<void> {
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status < 400,
        () => false,
      ),
    PATIENCE,
  )
}

let asks = 0

/** Requests a second to a client of its own, measured for one second. */
export function requestsOfASecond({ port, path, header }: Target, connections: number): number {
  // A quick machine would bring one client to the limit of date reads within ten such seconds.
  const client = `CF-Connecting-IP: 10.0.${asks >> 8}.${asks++ & 255}`
  const headers = [client, ...(header === null ? [] : [header])].flatMap((one) => ['-H', one])
  const asked = [...headers, `http://127.0.0.1:${port}${path}`]
  const printed = execFileSync('wrk', ['-t1', `-c${connections}`, '-d1s', ...asked], {
    encoding: 'utf8',
  })
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
  if (!(perSecond > 0) || printed.includes('Non-2xx')) throw new Error(`wrk printed\n${printed}`)
  return perSecond
}
