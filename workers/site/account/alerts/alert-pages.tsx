import { Hono } from 'hono'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import { createAlert } from '../../../../shared/db/alerts/create.ts'
import { listAlerts } from '../../../../shared/db/alerts/read.ts'
import { isAdmissionOpen } from '../../../../shared/db/webhooks/context.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { readOwnForm } from '../forms.ts'
import { frame, type Signed } from '../frame.ts'
import { webhookContextOf } from '../webhooks/own-webhooks.ts'
import type { RefusalWords } from '../webhooks/refusal-words.ts'
import {
  AUTHORIZATION_INVALID,
  seenOperation,
  typedAuthorization,
} from '../webhooks/webhook-form.ts'
import { typedAlert, wantedReceiver, wantedWatch } from './alert-form.ts'
import { AlertSecretPage } from './alert-secret-page.tsx'
import { AlertsPage } from './alerts-page.tsx'
import { oneAlertPages } from './one-alert-pages.tsx'
import { wordsOf } from './refusal-words.ts'

/** `/cuenta/alertas`: behind a session, under the same rules as the API. Works without JavaScript. */
export function alertPages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/', async (c) => {
      const listed = await listPage(c, deps)
      const operationId = randomUuid(deps.random)
      const notice = c.req.query('aviso')
      return c.html(<AlertsPage {...listed} operationId={operationId} notice={notice} />)
    })
    .post('/', async (c) => {
      const fields = await readOwnForm(c)
      const operationId = seenOperation(fields)
      const values = typedAlert(fields)
      const refuse = async ({ text, status, retryAfter }: RefusalWords) => {
        if (retryAfter) c.header('Retry-After', String(retryAfter))
        const page = { ...(await listPage(c, deps)), operationId, values, problem: text }
        return c.html(<AlertsPage {...page} />, status)
      }

      const receiver = wantedReceiver(values)
      const authorization = receiver.channel === 'email' ? undefined : typedAuthorization(fields)
      if (typeof authorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const created = await createAlert(webhookContextOf(c, deps), c.var.signedIn.accountId, {
        ...wantedWatch(values),
        ...receiver,
        operationId,
        enabled: true,
        receiverAuthorization: authorization,
      })
      if (!created.ok) return refuse(wordsOf(created.refusal))

      const { alert, secret } = created.value
      const notice = alert.channel === 'email' ? 'alerta-creada' : 'alerta-ya-creada'
      return secret === null
        ? c.redirect(`/cuenta/alertas/${alert.id}?aviso=${notice}`, 303)
        : c.html(<AlertSecretPage {...await frame(c)} alert={alert} secret={secret} />)
    })
    .route('/', oneAlertPages(deps))
}

/** What the list shows, whatever it answers. */
async function listPage(c: Signed, { now }: Deps) {
  return {
    ...(await frame(c)),
    alerts: await listAlerts(c.env.DB, c.var.signedIn.accountId, now()),
    admitted: isAdmissionOpen(c.env),
  }
}
