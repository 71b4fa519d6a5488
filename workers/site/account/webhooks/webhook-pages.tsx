import { Hono } from 'hono'
import { createWebhook } from '../../../../shared/db/webhooks/create.ts'
import { isAdmissionOpen } from '../../../../shared/db/webhooks/context.ts'
import { listWebhooks } from '../../../../shared/db/webhooks/read.ts'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { readOwnForm } from '../forms.ts'
import { frame, type Signed } from '../frame.ts'
import { webhookContextOf } from './own-webhooks.ts'
import { refusalWords, type RefusalWords } from './refusal-words.ts'
import { AUTHORIZATION_INVALID, pairCodes } from './webhook-form.ts'
import { seenOperation, typedAuthorization, typedValues } from './webhook-form.ts'
import { oneWebhookPages } from './one-webhook-pages.tsx'
import { AlreadyCreatedPage, WebhookSecretPage } from './webhook-secret-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

/** `/cuenta/webhooks`: behind a session, under the same rules as the API. Works without JavaScript. */
export function webhookPages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/', async (c) => {
      const listed = await listPage(c)
      const operationId = randomUuid(deps.random)
      const notice = c.req.query('aviso')
      return c.html(<WebhooksPage {...listed} operationId={operationId} notice={notice} />)
    })
    .post('/', async (c) => {
      const fields = await readOwnForm(c)
      const operationId = seenOperation(fields)
      const values = typedValues(fields)
      const refuse = async ({ text, status, retryAfter }: RefusalWords) => {
        if (retryAfter) c.header('Retry-After', String(retryAfter))
        const listed = await listPage(c)
        const page = { ...listed, operationId, values, problem: text }
        return c.html(<WebhooksPage {...page} />, status)
      }

      const receiverAuthorization = typedAuthorization(fields)
      if (typeof receiverAuthorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const created = await createWebhook(webhookContextOf(c, deps), c.var.signedIn.accountId, {
        operationId,
        url: values.url,
        ...pairCodes(values.par),
        enabled: fields.pausado === undefined,
        receiverAuthorization,
      })
      if (!created.ok) return refuse(refusalWords(created.refusal))

      const { webhook, secret } = created.value
      const page = { ...(await frame(c)), webhook }
      return secret === null
        ? c.html(<AlreadyCreatedPage {...page} />)
        : c.html(<WebhookSecretPage {...page} secret={secret} />)
    })
    .route('/', oneWebhookPages(deps))
}

/** What the list shows, whatever it answers. */
async function listPage(c: Signed) {
  return {
    ...(await frame(c)),
    webhooks: await listWebhooks(c.env.DB, c.var.signedIn.accountId),
    admitted: isAdmissionOpen(c.env),
  }
}
