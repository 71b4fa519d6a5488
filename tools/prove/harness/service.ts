/** The service as a user starts it, in a process of its own, on a free port. */
import { createWriteStream, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createControl, findRunning } from '../../operate/local/running.ts'
import { hasEnded, isAlive, runTool, spawnCommand, type Spawned } from '../../support/process.ts'
import { temporaryFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

/** Services of this process. They have process groups of their own and would outlive it. */
const services = new Set<Service>()
process.once('exit', () => {
  for (const service of services) service.destroy()
})

/** How long a start may take, with both cores busy. */
const START_MS = 180_000

export interface ServiceOptions {
  stateDir?: string
  env?: Record<string, string>
  /** Starts it with `npm start`, as the README says. */
  npm?: boolean
  /** Hears each line of standard error, which is then kept in the state's `service.log` only. */
  onError?: (line: string) => void
}

/** Starts it and resolves at `ready`; rejects with what it printed when it ends before. */
export async function startService(
  args: readonly string[],
  options: ServiceOptions = {},
): Promise<Service> {
  const service = new Service(args, options)
  await service.start()
  return service
}

export function admin(args: readonly string[]) {
  return runTool('admin', args)
}

/** The real local service, which may be killed and started again on its state. */
export class Service implements AsyncDisposable {
  readonly stateDir: string
  /** Where it answers now; another at each start. */
  url = ''
  isUp = false
  /** Grows at every stop. A request that began in an earlier epoch may have been cut. */
  epoch = 0
  workerdPid = 0
  /** How often it ended by itself. */
  deaths = 0
  /** From spawning to `ready`, of each start. */
  readonly startsMs: number[] = []
  readonly #args: readonly string[]
  readonly #options: ServiceOptions
  #spawned: Spawned | undefined

  constructor(args: readonly string[], options: ServiceOptions = {}) {
    this.stateDir = options.stateDir ?? temporaryFolder()
    this.#args = args
    this.#options = options
  }

  get child() {
    return this.#spawned!.child
  }

  get lines(): string[] {
    return this.#spawned!.lines
  }

  errors(): string {
    return this.#spawned!.errors()
  }

  get(path: string, init?: RequestInit): Promise<Response> {
    return fetch(this.url + path, init)
  }

  /** Runs a cycle now by the request that `admin cycle` makes. */
  async cycle(): Promise<void> {
    const running = await findRunning(this.stateDir)
    if (!running) throw new Error(`no service runs on ${this.stateDir}`)
    const { outcome } = await createControl(running).cycle(running.order)
    if (outcome !== 'recorded') throw new Error(`nothing done: ${outcome}`)
  }

  async start(): Promise<void> {
    const startedAt = Date.now()
    const { child, lines, errors } = this.#spawn()
    const ready = () => lines.find((line) => line.startsWith('ready '))
    await untilIs(() => ready() !== undefined || hasEnded(child), START_MS, 'did not start in time')
    if (ready() === undefined) throw new Error(`ended: ${lines.join('\n')}\n${errors()}`)

    this.url = ready()!.slice('ready '.length)
    this.workerdPid = this.#readPid() ?? 0
    this.startsMs.push(Date.now() - startedAt)
    this.isUp = true
  }

  /** Starts it and kills it after some time, ready or not. Meanwhile `isUp` stays false. */
  async startAndKill(ms: number, what: 'all' | 'parent'): Promise<void> {
    const before = this.#readPid()
    this.#spawn()
    await sleep(ms)
    const pid = this.#readPid()
    this.workerdPid = pid !== null && pid !== before ? pid : 0
    await this.kill(what)
  }

  /** SIGKILL for the whole service, or for its parent only, whose guard then ends the rest. */
  async kill(what: 'all' | 'parent'): Promise<void> {
    const { child, workerdPid } = this
    this.#down()
    if (what === 'all' && isAlive(workerdPid)) process.kill(workerdPid, 'SIGKILL')
    child.kill('SIGKILL')
    await untilIs(() => hasEnded(child) && !isAlive(workerdPid), 10_000, 'outlived its SIGKILL')
  }

  /** Stops it, as Ctrl-C does; resolves with the exit code when the process is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.#spawned) return null
    this.#down()
    if (!hasEnded(this.child)) this.child.kill(signal)
    return this.#spawned.exited
  }

  /** Kills all of it, whatever state it is in. */
  destroy(): void {
    if (isAlive(this.workerdPid)) process.kill(this.workerdPid, 'SIGKILL')
    if (this.#spawned && !hasEnded(this.child)) this.child.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    rmSync(this.stateDir, { recursive: true, force: true })
  }

  #down(): void {
    this.isUp = false
    this.epoch += 1
  }

  #spawn(): Spawned {
    const { npm = false, env = {}, onError } = this.#options
    const args = ['--port', '0', '--state', this.stateDir, ...this.#args]
    const log = onError && createWriteStream(join(this.stateDir, 'service.log'), { flags: 'a' })
    const spawned = spawnCommand(
      npm ? 'npm' : process.execPath,
      npm ? ['start', '--silent', '--', ...args] : ['tools/operate/start.ts', ...args],
      {
        env,
        ...(log && {
          onError: (line) => {
            onError(line)
            log.write(`${new Date().toISOString()} ${line}\n`)
          },
        }),
      },
    )
    this.#spawned = spawned
    services.add(this)
    void spawned.exited.then(() => {
      if (this.#spawned === spawned) services.delete(this)
      log?.end()
      if (this.isUp && this.#spawned === spawned) this.deaths += 1
    })
    return spawned
  }

  #readPid(): number | null {
    try {
      return Number(readFileSync(join(this.stateDir, 'workerd.pid'), 'utf8'))
    } catch {
      return null
    }
  }
}

function untilIs(isSo: () => boolean, atMostMs: number, failure: string): Promise<void> {
  return until(isSo, { everyMs: 50, atMostMs, failure: `the service ${failure}` })
}
