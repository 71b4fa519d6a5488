import { CRONS } from '../../../shared/crons.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Secrets } from '../../../shared/crypto/secrets.ts'
import { scrape } from '../../scraper/scraper.ts'
import { localDelivery } from './delivery.ts'
import { CONTROL_PATH, type CycleOrder, TOKEN_HEADER } from './order.ts'
import type { MailEnv } from './smtp-mail.ts'
import { upstreamFetch } from './upstream-fetch.ts'

export interface LocalEnv extends Cloudflare.StandaloneEnv, Secrets, MailEnv {
  /** Random for each start, so that only a reader of the state folder can run cycles. */
  LOCAL_CONTROL_TOKEN: string
  /** JSON: the names of `--receiver`. */
  LOCAL_RECEIVERS: string
}

/** Like the cron of every minute. */
const SWEEP = { cron: CRONS.sweep, scheduledTime: 0, type: 'scheduled', noRetry() {} } as const

/**
 * Runs a cycle or a sweep, and responds with the report; null for every other request.
 */
export async function answerControl(request: Request, env: LocalEnv): Promise<Response | null> {
  if (request.headers.get(TOKEN_HEADER) !== env.LOCAL_CONTROL_TOKEN) return null

  switch (`${request.method} ${new URL(request.url).pathname}`) {
    case `POST ${CONTROL_PATH}cycle`:
      return Response.json(await runCycle(env, await request.json<CycleOrder>()))
    case `POST ${CONTROL_PATH}sweep`:
      await localDelivery(env).scheduled(SWEEP, env)
      return Response.json({})
    default:
      return null
  }
}

async function runCycle(env: LocalEnv, { mode, everySeconds, upstream }: CycleOrder) {
  const deps = {
    now: () => Date.now(),
    fetch: upstream === null ? fetch : upstreamFetch(fetch, upstream),
    mode,
    everySource: mode !== 'live',
    everySeconds,
  }
  const report = await scrape(env, deps, Date.now())
  // Like its own cron; its failure is not a failure of the cycle.
  const { makeFiles } = await import('../../scraper/nightly/archive.ts')
  await makeFiles(env, deps.now).catch((error: unknown) => logFailure('archive_failed', error))
  return report
}
