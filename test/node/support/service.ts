/** The service as a user starts it, in a process of its own, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../../..')

export interface Service extends AsyncDisposable {
  url: string
  stateDir: string
  child: ChildProcess
  /** Standard output so far, line by line. */
  lines: string[]
  /** Standard error so far. */
  errors: () => string
  get: (path: string, init?: RequestInit) => Promise<Response>
  /** Runs a cycle now, as `admin cycle` does. */
  cycle: () => Promise<void>
  /** Sends a signal and resolves with the exit code when the process is gone. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  workerdPid: number
}

export function temporaryState(): string {
  return mkdtempSync(join(tmpdir(), 'cotizaciones-'))
}

/** Starts it and resolves at `ready`; rejects with what it printed when it ends before. */
export async function startService(
  args: string[],
  { stateDir = temporaryState(), npm = false, env = {} as Record<string, string> } = {},
): Promise<Service> {
  const started = run(['--port', '0', '--state', stateDir, ...args], npm, env)
  const { child, lines, errors, exited } = started
  while (!lines.some((line) => line.startsWith('ready '))) {
    if (child.exitCode !== null) throw new Error(`ended: ${lines.join('\n')}\n${errors()}`)
    await sleep(50)
  }
  const url = lines.find((line) => line.startsWith('ready '))!.slice('ready '.length)
  const workerdPid = Number(readFileSync(join(stateDir, 'workerd.pid'), 'utf8'))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return exited
  }

  return {
    url,
    stateDir,
    child,
    lines,
    errors,
    workerdPid,
    stop,
    get: (path, init) => fetch(url + path, init),
    cycle: async () => {
      const { code, output } = await admin(['cycle', '--state', stateDir])
      if (code !== 0) throw new Error(output)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}

/** Runs `npm start` to its end: for refusals. */
export async function startAndEnd(
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const { exited, lines, errors } = run(args, false, {})
  const code = await exited
  return { code, output: lines.join('\n') + errors() }
}

/** Runs `npm run admin -- …` to its end. */
export async function admin(args: string[]): Promise<{ code: number | null; output: string }> {
  const { exited, lines, errors } = runNode(['tools/admin.ts', ...args])
  const code = await exited
  return { code, output: lines.join('\n') + errors() }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Whether a process is gone within so many milliseconds. */
export async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += 100) {
    if (!isAlive(pid)) return true
    await sleep(100)
  }
  return !isAlive(pid)
}

function run(args: string[], npm: boolean, env: Record<string, string>) {
  return npm
    ? spawned('npm', ['start', '--silent', '--', ...args], env)
    : runNode(['tools/start.ts', ...args], env)
}

function runNode(args: string[], env: Record<string, string> = {}) {
  return spawned(process.execPath, args, env)
}

function spawned(command: string, args: string[], env: Record<string, string>) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a shell gives it, so that a Ctrl-C can be sent to it all.
    detached: true,
  })
  const lines: string[] = []
  let pending = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (pending + text).split('\n')
    pending = parts.pop()!
    lines.push(...parts)
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  return { child, lines, errors: () => errors, exited }
}
