import { resolve } from 'node:path'
import type { Mode } from '../../../shared/board/board.ts'
import { CommandError } from '../../support/arguments.ts'
import { databaseFile, storedText } from '../local/storage.ts'
import type { StartOptions } from './options.ts'
import { readOnce } from '../../../workers/scraper/collect/collect.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'

interface Surroundings {
  /** Whether the network reaches at least one source. */
  anySourceAnswers: () => Promise<boolean>
  /** A line for people. */
  warn: (line: string) => void
}

/**
 * The mode of a start and the folder that it uses. Throws a `CommandError` when the state has
 * another mode, and changes nothing. A plain start without a network shows the demo market if the
 * folder has no database. The demo uses a folder of its own, so that the next start is live.
 */
export async function chooseState(
  options: Pick<StartOptions, 'stateDir' | 'demo' | 'upstream' | 'isPlain'>,
  { anySourceAnswers, warn }: Surroundings,
): Promise<{ mode: Mode; stateDir: string }> {
  const { stateDir, demo, upstream, isPlain } = options
  const mode = demo ? 'demo' : upstream === null ? 'live' : 'upstream'
  refuseOtherMode(stateDir, mode)
  const mayShowDemo = mode === 'live' && isPlain && databaseFile(stateDir) === null
  if (!mayShowDemo || (await anySourceAnswers())) return { mode, stateDir }

  const demoDir = `${resolve(stateDir)}-demo`
  refuseOtherMode(demoDir, 'demo')
  warn(
    `no source answers: is there a network? Showing the demo market (simulated prices) from ${demoDir}; ` +
      `${stateDir} stays empty, and the next start is live`,
  )
  return { mode: 'demo', stateDir: demoDir }
}

function refuseOtherMode(stateDir: string, mode: Mode): void {
  const stored = storedText(stateDir, 'service_mode', 'mode')
  if (stored === null || stored === mode) return

  const other = stored === 'live' ? '' : ` or start with --${stored}`
  throw new CommandError(
    `${stateDir} is a state of mode ${stored} and takes no values of mode ${mode}: ` +
      `choose another with --state${other}`,
  )
}

/**
 * Whether any source answers with a document that can be parsed. Requests one source of each host,
 * all in parallel, so without a network this takes at most one source's timeout (8 s).
 */
export async function anySourceAnswers(network: typeof fetch = fetch): Promise<boolean> {
  const deps = { fetch: network, now: () => Date.now() }
  const byHost = new Map(
    SOURCES.map((source) => [new URL(source.request(deps.now()).url).host, source]),
  )
  return Promise.any([...byHost.values()].map((source) => readOnce(deps, source))).then(
    () => true,
    () => false,
  )
}
