/**
 * The four Workers in one, for `npm start` and for tests; never deployed. The scraper's network can
 * be replaced. The process that starts this Worker triggers its cycles and sweeps.
 */
import { CRONS } from '../../shared/cron.ts'
import type { Secrets, Variables } from '../../shared/config/config.ts'
import { retryWhenBusy } from './retry-when-busy.ts'
import { createDelivery, platform } from '../delivery/delivery.ts'
import { createEdge } from '../edge/app.ts'
import { makeNightlyFiles, scrape } from '../scraper/scraper.ts'
import type { SiteEnv } from '../site/context.ts'
import type { Mail } from '../../shared/mail.ts'
import { sendThroughBinding, type SentTo } from '../site/mail.ts'
import { createSite } from '../site/app.ts'
import { CONTROL_PATH, type CycleSetup, TOKEN_HEADER, upstreamFetch } from './control.ts'
import { receiversFirst } from './receivers.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

/** The bindings of all four Workers, with every variable and secret. */
export type StandaloneEnv = Omit<Cloudflare.EdgeEnv, 'SITE'> &
  Cloudflare.ScraperEnv &
  Cloudflare.DeliveryEnv &
  Cloudflare.SiteEnv &
  Variables &
  Secrets

interface LocalEnv extends StandaloneEnv {
  /** Random for each start, so that only a reader of the state folder can run cycles. */
  LOCAL_CONTROL_TOKEN: string
  /** JSON: a `CycleSetup`. */
  LOCAL_CYCLE: string
  /** JSON: the names of `--receiver`. */
  LOCAL_RECEIVERS: string
  /** Sends mails from the process of `npm start`, where `MAIL_TRANSPORT` names a server. */
  LOCAL_MAIL?: Fetcher
}

const now = () => Date.now()
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

const site = createSite({
  now,
  random,
  sendMail: (env, mail) => ('LOCAL_MAIL' in env ? sendThroughBinding(env, mail) : printLink(mail)),
})
const edge = createEdge({
  now,
  // The edge passes its environment, which here has all bindings.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
  random,
})

export default {
  async fetch(request, given, context) {
    const env = localEnv(given)
    return (await answerControl(request, env)) ?? edge.fetch(request, env, context)
  },
  queue: (batch, given, context) => {
    const env = localEnv(given)
    return localDelivery(env).queue(batch, env, context)
  },
} satisfies ExportedHandler<LocalEnv>

const envs = new WeakMap<LocalEnv, LocalEnv>()

/**
 * The operator's commands write to the same database file, so a call that finds the database busy
 * is repeated. Mails go to the operator's mail server, if one is configured.
 */
function localEnv(env: LocalEnv): LocalEnv {
  const known = envs.get(env)
  if (known) return known

  const mail = env.LOCAL_MAIL && { EMAIL: smtpBinding(env.LOCAL_MAIL) }
  const made = { ...env, DB: retryWhenBusy(env.DB), ...mail }
  envs.set(env, made)
  return made
}

/** Sends mails to an SMTP server through the platform's e-mail interface. */
function smtpBinding(service: Fetcher): SendEmail {
  const send = async (mail: unknown) => {
    const response = await service.fetch('http://mail/', {
      method: 'POST',
      body: JSON.stringify(mail),
    })
    if (!response.ok) throw new Error(`mail server: ${await response.text()}`)
    return { messageId: '' }
  }
  return { send } as SendEmail
}

/** Prints the link of a mail in the terminal, when no mail server is configured. */
async function printLink({ to, text }: Mail): Promise<SentTo> {
  console.log(`link ${to} ${text.match(/^https?:\/\/\S+$/m)?.[0] ?? ''}`)
  return 'terminal'
}

let delivery: ReturnType<typeof createDelivery> | undefined

/** One per isolate, because it holds the attempts in flight. */
function localDelivery({ LOCAL_RECEIVERS }: LocalEnv) {
  return (delivery ??= createDelivery({
    ...platform,
    resolveFirst: receiversFirst(JSON.parse(LOCAL_RECEIVERS) as string[]),
  }))
}

/** The event of the sweep's cron. */
const SWEEP = { cron: CRONS.sweep, scheduledTime: 0, type: 'scheduled', noRetry() {} } as const

/** Failures are logged where they happen, so this response has no text. */
const failed = () => new Response(null, { status: 500 })

/** Runs a cycle or a sweep, and responds with the report; null for every other request. */
async function answerControl(request: Request, env: LocalEnv): Promise<Response | null> {
  if (request.headers.get(TOKEN_HEADER) !== env.LOCAL_CONTROL_TOKEN) return null

  switch (`${request.method} ${new URL(request.url).pathname}`) {
    case `POST ${CONTROL_PATH}cycle`:
      return runCycle(env).then(Response.json, failed)
    case `POST ${CONTROL_PATH}sweep`:
      return localDelivery(env)
        .scheduled(SWEEP, env)
        .then(() => Response.json({}), failed)
    default:
      return null
  }
}

async function runCycle(env: LocalEnv) {
  const { mode, everySeconds, upstream } = JSON.parse(env.LOCAL_CYCLE) as CycleSetup
  const network = upstream === null ? fetch : upstreamFetch(fetch, upstream)
  const deps = { now, fetch: network, mode, everySeconds }
  const report = await scrape(env, deps, now())
  // In production the files have their own cron, so their failure must not fail the cycle.
  await makeNightlyFiles(env, now).catch(() => {})
  return report
}
