/**
 * The entry behind `npm start`, never deployed: the same four Workers. The scraper's network can be
 * replaced, and the process around it triggers cycles and sweeps.
 */
import { retryWhenBusy } from '../../shared/db/retry-when-busy.ts'
import { createEdge } from '../edge/edge.ts'
import { createSite, type SiteEnv } from '../site/index.ts'
import { sendThroughBinding } from '../site/mail.ts'
import { answerControl, type LocalEnv } from './local/control.ts'
import { localDelivery } from './local/delivery.ts'
import { LOCAL_MAIL } from './local/order.ts'
import { printMail } from './local/print-mail.ts'
import { smtpBinding } from './local/smtp-mail.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

const site = createSite({
  now: () => Date.now(),
  random,
  sendMail: (env, mail) =>
    LOCAL_MAIL in env ? sendThroughBinding(env, mail) : printMail(env, mail),
})
const edge = createEdge({
  now: () => Date.now(),
  // The edge passes its environment, which here has all bindings.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
  random,
})

/**
 * The operator's commands write to the same file, so calls of a busy database are repeated. Mails
 * go to the operator's mail server, if there is one.
 */
const patient = new WeakMap<LocalEnv, LocalEnv>()
function patientEnv(env: LocalEnv): LocalEnv {
  const known = patient.get(env)
  if (known) return known

  const mail = smtpBinding(env)
  const made = { ...env, DB: retryWhenBusy(env.DB), ...(mail && { EMAIL: mail }) }
  patient.set(env, made)
  return made
}

export default {
  async fetch(request, given, context) {
    const env = patientEnv(given)
    return (await answerControl(request, env)) ?? edge.fetch(request, env, context)
  },
  queue: (batch, given, context) => {
    const env = patientEnv(given)
    return localDelivery(env).queue(batch, env, context)
  },
} satisfies ExportedHandler<LocalEnv>
