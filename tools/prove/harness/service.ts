/** Starts the service as a user does, in a separate process and on a free port. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createControl, findRunning } from '../../operate/local/running.ts'
import { hasEnded, runTool, spawnCommand } from '../../support/process.ts'
import { temporaryFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

/** How long a start may take, with both cores busy. */
const PATIENCE = {
  everyMs: 50,
  atMostMs: 180_000,
  failure: 'the service did not start in time',
}

export interface ServiceOptions {
  stateDir?: string
  env?: Record<string, string>
  /** Starts the service with `npm start`, as the README says, not with node. */
  npm?: boolean
}

export function admin(args: readonly string[]) {
  return runTool('admin', args)
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Resolves when the service prints `ready`. Rejects with its output if it ends before that. */
export async function startService(
  args: readonly string[],
  { stateDir = temporaryFolder(), env = {}, npm = false }: ServiceOptions = {},
) {
  const all = ['--port', '0', '--state', stateDir, ...args]
  const { child, lines, errors, exited } = npm
    ? spawnCommand('npm', ['start', '--silent', '--', ...all], { env })
    : spawnCommand(process.execPath, ['tools/operate/start.ts', ...all], { env })
  // The service has its own process group, so it would outlive this process.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void exited.then(() => process.off('exit', kill))

  const ready = () => lines.find((line) => line.startsWith('ready '))
  await until(() => ready() !== undefined || hasEnded(child), PATIENCE)
  if (ready() === undefined) throw new Error(`ended: ${lines.join('\n')}\n${errors()}`)
  const url = ready()!.slice('ready '.length)

  /** Sends the service a signal, and resolves with its exit code when the process has ended. */
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  return {
    stateDir,
    url,
    child,
    lines,
    errors,
    stop,
    /** The process id of the runtime, which the start writes to a file. */
    workerdPid: Number(readFileSync(join(stateDir, 'workerd.pid'), 'utf8')),
    get: (path: string, init?: RequestInit) => fetch(url + path, init),
    /** Runs a cycle now, by the same request as `admin cycle`. */
    async cycle(): Promise<void> {
      const running = findRunning(stateDir)
      if (!running) throw new Error(`no service runs on ${stateDir}`)
      const { outcome } = await createControl(running).cycle()
      if (outcome !== 'recorded') throw new Error(`the cycle ended as ${outcome}`)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}
