import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { openKeyring } from '../../../shared/crypto/sealed-box.ts'
import { placeStatement } from '../../../shared/db/installation.ts'
import { setModeStatement } from '../../../shared/db/quotes/service-mode.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import type { CycleSetup } from '../../../workers/standalone/control.ts'
import { openDemoMarket } from '../demo-market/documents.ts'
import { claimFolder, createControl } from '../local/running.ts'
import { migrate } from '../local/migrate.ts'
import { makeLocalKey } from './local-key.ts'
import { openPast } from './background-backfill.ts'
import { anySourceAnswers, chooseState } from './choose-state.ts'
import { isFree } from '../../support/listen.ts'
import { until } from '../../support/until.ts'
import { buildWorker, STANDALONE, VARS } from './build.ts'
import type { StartOptions } from './options.ts'
import { openRuntime } from './runtime.ts'
import { CommandError, UsageError } from '../../support/arguments.ts'
import { CONFIG_NAMES, configProblems, isConfigName } from '../check-config.ts'
import { noteKeys } from '../installation.ts'
import { localSecrets } from '../local/secrets.ts'
import { placeOf } from '../local/storage.ts'

interface Output {
  /** A line for programs. */
  print: (line: string) => void
  /** A line for people. */
  warn: (line: string) => void
}

/** With a smaller `--every`, sweeps run every 5 seconds instead of every minute. */
const HASTE_SECONDS = 60

/** If reads already work, `ready` waits at most this long for the first cycle. */
const FIRST_CYCLE_PATIENCE_MS = 7 * SECOND_MS

const NO_READS = 'reads do not answer: see the lines above'

/** A stop waits this long for a running cycle or sweep. The next start repairs a partial one. */
const STOP_MS = 2 * SECOND_MS

/**
 * Starts the service and prints `ready`. Disposing of the result stops the parts in reverse order.
 * The stop waits for a running cycle, sweep or backfill, at most `STOP_MS` each.
 */
export async function serve(options: StartOptions, { print, warn }: Output) {
  const { everySeconds, port } = options
  await using stack = new AsyncDisposableStack()
  const named = stack.use(claimFolder(options.stateDir))
  if (port !== 0 && !(await isFree(port)))
    throw new CommandError(`port ${port} is in use: choose another with --port`)
  const build = buildWorker(STANDALONE)
  // Under a public address, simulated prices are shown only on request (`--demo`).
  const isPlain = options.isPlain && !VARS['PUBLIC_ORIGIN']
  const deps = { anySourceAnswers, warn }
  const { mode, stateDir } = await chooseState({ ...options, isPlain }, deps)
  const folder = stateDir === options.stateDir ? named : stack.use(claimFolder(stateDir))
  const token = randomBytes(24).toString('hex')
  const upstream =
    mode === 'demo'
      ? stack.use(await openDemoMarket(everySeconds * SECOND_MS)).url
      : options.upstream
  const cycleSetup: CycleSetup = { mode, everySeconds, upstream }
  const configuration = configurationOf({ ...options, stateDir }, VARS)
  const bindings = {
    ...configuration,
    LOCAL_CONTROL_TOKEN: token,
    LOCAL_CYCLE: JSON.stringify(cycleSetup),
    LOCAL_RECEIVERS: JSON.stringify(Object.keys(options.receivers)),
  }

  const runtime = stack.use(await openRuntime({ ...options, stateDir, build, bindings }))
  await migrate(runtime.db, warn)
  await noteKeys(runtime.db, openKeyring(configuration['KEY_ENCRYPTION_KEYS']))
  await setModeStatement(runtime.db, mode).run()
  const delivers = await placeStatement(runtime.db, placeOf(stateDir)).first<0 | 1>('delivers')
  if (!delivers)
    warn(
      `${stateDir} is a copy: deliveries and e-mails stay off until npm run admin -- deliver --state ${stateDir}`,
    )
  const past = options.backfill ? await openPast({ ...runtime, stateDir, mode, warn }) : null
  const key = await makeLocalKey(runtime.db, stateDir, Date.now())
  if (key !== null) print(`key ${key}`)
  print(`mode ${mode}`)

  const control = createControl({ url: runtime.url, token })
  folder.note({ pid: process.pid, url: runtime.url, token })

  const first = control
    .cycle()
    .then((report) => warnOfNoAnswer(report, warn))
    .catch((error: unknown) => warn(`error: the first cycle failed: ${String(error)}`))
  await Promise.race([first, atMost(FIRST_CYCLE_PATIENCE_MS)])
  // An old state answers reads at once, a new state only after its first cycle.
  if (!(await readsAnswer(runtime.url))) await first
  const isReady = () => readsAnswer(runtime.url)
  await until(isReady, { everyMs: 100, atMostMs: 5 * SECOND_MS, failure: NO_READS })
  print(`ready ${runtime.url}`)

  const cycle = () => first.then(() => control.cycle())
  stack.defer(repeat(everySeconds < HASTE_SECONDS ? 5 : 60, () => control.sweep(), warn))
  stack.defer(repeat(everySeconds, cycle, warn))
  if (past) {
    const stopping = new AbortController()
    const filling = first
      .then(() => past.fill(cycle, stopping.signal))
      .catch((error: unknown) => warn(`error: ${String(error)}`))
    stack.defer(() => {
      stopping.abort()
      return Promise.race([filling, atMost(STOP_MS)])
    })
  }
  return stack.move()
}

/** Resolves after `ms`. The timer does not keep the process alive. */
function atMost(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}

/**
 * Starts `job` every `seconds`, unless the previous run is still in progress. Prints the error of a
 * failed run. Returns a function that stops the timer and waits for the run in progress.
 */
function repeat(seconds: number, job: () => Promise<unknown>, warn: Output['warn']) {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= job()
      .catch((error: unknown) => warn(`error: ${String(error)}`))
      .then(() => {
        running = null
      })
  }, seconds * SECOND_MS)
  return async () => {
    clearInterval(timer)
    await Promise.race([running, atMost(STOP_MS)])
  }
}

function warnOfNoAnswer(report: CycleReport, warn: (line: string) => void): void {
  if (report.outcome !== 'recorded' || report.requested === 0 || report.answered > 0) return
  warn('no source answers: the status says down, and every cycle tries again')
}

async function readsAnswer(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v2/quotes`)
  await response.body?.cancel()
  return response.ok
}

/**
 * The variables and secrets of a start. By default, webhooks are open and the compatibility
 * addresses answer; wrangler.toml (`configured`) and `--var` can change both. Secrets that are not
 * given come from the state folder. Throws a `UsageError` that lists every problem.
 */
export function configurationOf(
  { stateDir, vars, port }: Pick<StartOptions, 'stateDir' | 'vars' | 'port'>,
  configured: Record<string, unknown>,
): Record<string, string> {
  const values: Record<string, unknown> = {
    WEBHOOK_ADMISSION: 'open',
    COMPATIBILITY: 'on',
    ...configured,
    ...localSecrets(stateDir, vars),
    ...vars,
  }
  const strange = Object.keys(values).filter((name) => !isConfigName(name))
  const problems = configProblems(values, [...strange, ...CONFIG_NAMES])
  if (problems.length > 0) throw new UsageError(problems.join('\n'))

  return {
    ...(values as Record<string, string>),
    PUBLIC_ORIGIN: (values['PUBLIC_ORIGIN'] as string) || localOrigins(port),
  }
}

/** The origins of this machine. Empty for port 0 (any free port): the Worker uses request URLs. */
function localOrigins(port: number): string {
  const hosts = ['127.0.0.1', 'localhost', '[::1]']
  return port === 0 ? '' : hosts.map((host) => `http://${host}:${port}`).join(',')
}
