import type { Mode } from '../../../shared/board.ts'
import type { Secrets } from '../../../shared/secrets.ts'
import delivery from '../../delivery/index.ts'
import { scrape } from '../../scraper/scraper.ts'
import { impatientFetch } from './impatient-fetch.ts'
import { upstreamFetch } from './upstream-fetch.ts'

/** Where the process that runs the service says "now": see tools/start/control.ts. */
export const CONTROL_PATH = '/__local/'
export const TOKEN_HEADER = 'x-local-token'

export interface LocalEnv extends Cloudflare.StandaloneEnv, Secrets {
  /** Random for each start: whoever cannot read the state folder cannot run cycles. */
  LOCAL_CONTROL_TOKEN: string
}

/** How a cycle is to see the world. */
export interface CycleOrder {
  mode: Mode
  everySeconds: number
  /** Takes every source request, as `UPSTREAM/HOST/PATH?QUERY`; null for the real network. */
  upstream: string | null
  /** Whether to give up soon when there is no network at all. */
  impatient: boolean
}

/** Runs a cycle or a sweep and answers what it did; null for every other request. */
export async function answerControl(request: Request, env: LocalEnv): Promise<Response | null> {
  if (request.headers.get(TOKEN_HEADER) !== env.LOCAL_CONTROL_TOKEN) return null

  switch (`${request.method} ${new URL(request.url).pathname}`) {
    case `POST ${CONTROL_PATH}cycle`:
      return Response.json(await runCycle(env, await request.json<CycleOrder>()))
    case `POST ${CONTROL_PATH}sweep`:
      await delivery.scheduled()
      return Response.json({})
    default:
      return null
  }
}

function runCycle(env: LocalEnv, { mode, everySeconds, upstream, impatient }: CycleOrder) {
  const network = upstream === null ? fetch : upstreamFetch(fetch, upstream)
  const deps = {
    now: () => Date.now(),
    fetch: impatient ? impatientFetch(network) : network,
    mode,
    everySource: mode !== 'live',
    everySeconds,
  }
  return scrape(env, deps, Date.now())
}
