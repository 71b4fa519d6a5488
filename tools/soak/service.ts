import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.ts'
import { Counts } from './findings.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How long a start may take, with both cores busy. */
const START_MS = 180_000

/** Lines of the service that tell of trouble: counted for the report. */
const TROUBLE = /"event":"(\w*(?:failed|broke|dead_letters|malformed)\w*)"|^(error): |(SQLITE_BUSY)/

/** The real local service, `tools/start.ts`, killed and started again on one state folder. */
export class Service {
  readonly trouble = new Counts()
  /** Where it answers now; another at each start. */
  url = ''
  isUp = false
  /** Grows at every kill: a request that began in another one may have been cut. */
  epoch = 0
  workerdPid = 0
  /** How often it ended by itself. */
  deaths = 0
  /** From spawning to `ready`, of each start. */
  readonly startsMs: number[] = []
  readonly #stateDir: string
  readonly #args: readonly string[]
  readonly #env: Record<string, string>
  #child: ChildProcess | undefined

  constructor(stateDir: string, args: readonly string[], env: Record<string, string>) {
    this.#stateDir = stateDir
    this.#args = args
    this.#env = env
  }

  /** Starts it and waits for `ready`. */
  async start(): Promise<void> {
    const startedAt = Date.now()
    const { child, ready } = this.#spawn()
    await untilIs(() => ready() !== undefined || isOver(child), START_MS, 'did not start in time')
    if (isOver(child)) throw new Error(`the service ended at its start (${child.exitCode})`)

    this.url = ready()!
    this.workerdPid = this.#readPid() ?? 0
    this.startsMs.push(Date.now() - startedAt)
    this.isUp = true
  }

  /** Starts it and kills it after so long, ready or not. Nobody knows of it meanwhile. */
  async startAndKill(ms: number, what: 'all' | 'parent'): Promise<void> {
    const before = this.#readPid()
    this.#spawn()
    await sleep(ms)
    const pid = this.#readPid()
    this.workerdPid = pid !== null && pid !== before ? pid : 0
    await this.kill(what)
  }

  #spawn() {
    const child = spawn(
      process.execPath,
      ['tools/start.ts', '--port', '0', '--state', this.#stateDir, ...this.#args],
      {
        cwd: ROOT,
        env: { ...process.env, ...this.#env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    )
    this.#child = child
    const log = createWriteStream(join(this.#stateDir, 'service.log'), { flags: 'a' })
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, event, error, busy] = TROUBLE.exec(line) ?? []
      const what = event ?? error ?? busy
      if (what && this.isUp) this.trouble.add(what)
      log.write(`${new Date().toISOString()} ${line}\n`)
    })
    child.once('close', () => {
      log.end()
      if (this.isUp && this.#child === child) this.deaths += 1
    })

    let url: string | undefined
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) url = line.slice('ready '.length)
    })
    return { child, ready: () => url }
  }

  #readPid(): number | null {
    try {
      return Number(readFileSync(join(this.#stateDir, 'workerd.pid'), 'utf8'))
    } catch {
      return null
    }
  }

  /** SIGKILL: of the whole service at once, or of its parent only, whose guard ends the rest. */
  async kill(what: 'all' | 'parent'): Promise<void> {
    const child = this.#child!
    this.isUp = false
    this.epoch += 1
    const { workerdPid } = this
    if (what === 'all' && isAlive(workerdPid)) process.kill(workerdPid, 'SIGKILL')
    child.kill('SIGKILL')
    await untilIs(() => isOver(child) && !isAlive(workerdPid), 10_000, 'outlived its SIGKILL')
  }

  /** Stops it as Ctrl-C does. */
  async stop(): Promise<void> {
    const child = this.#child
    this.isUp = false
    this.epoch += 1
    if (!child || isOver(child)) return
    child.kill('SIGTERM')
    await untilIs(() => isOver(child), 30_000, 'did not stop')
  }

  /** The end of everything, whatever state it is in. */
  destroy(): void {
    if (isAlive(this.workerdPid)) process.kill(this.workerdPid, 'SIGKILL')
    if (this.#child && !isOver(this.#child)) this.#child.kill('SIGKILL')
  }
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Pid 0 is nobody: to signal it would be to signal ourselves. */
function isAlive(pid: number): boolean {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function untilIs(isSo: () => boolean, atMostMs: number, failure: string): Promise<void> {
  return until(isSo, { everyMs: 50, atMostMs, failure: `the service ${failure}` })
}
