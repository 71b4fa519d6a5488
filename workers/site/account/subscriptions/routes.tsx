import { Hono } from 'hono'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import { isAdmissionOpen } from '../../../../shared/subscriptions/context.ts'
import { listSubscriptions } from '../../../../shared/subscriptions/read.ts'
import { isUuid } from '../../../../shared/uuid.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { readOwnForm } from '../forms.ts'
import { frame, type Signed } from '../frame.ts'
import type { Area } from './area.ts'
import { AUTHORIZATION_INVALID, seenOperation, typedAuthorization } from './form.ts'
import { ListPage } from './list-page.tsx'
import { oneRoutes } from './one-routes.tsx'
import { contextOf } from './own.ts'
import { type RefusalWords, refusalWords } from './refusal-words.ts'
import { SecretPage } from './secret-page.tsx'

/**
 * The pages of a kind: behind a session, under the same rules as the API. They work without
 * JavaScript.
 */
export function subscriptionPages(deps: Deps, area: Area) {
  return new Hono<AccountContext>()
    .get('/', async (c) => {
      const listed = await listPage(c, deps, area)
      const operationId = randomUuid(deps.random)
      return c.html(
        <ListPage {...listed} operationId={operationId} notice={c.req.query('aviso')} />,
      )
    })
    .post('/', async (c) => {
      const fields = await readOwnForm(c)
      const operationId = seenOperation(fields)
      const typed = area.typed(fields)
      const refuse = async ({ text, status, retryAfter }: RefusalWords) => {
        if (retryAfter) c.header('Retry-After', String(retryAfter))
        const page = { ...(await listPage(c, deps, area)), operationId }
        return c.html(<ListPage {...page} values={typed.values} problem={text} />, status)
      }

      const receiverAuthorization = typed.hasCredential ? typedAuthorization(fields) : undefined
      if (typeof receiverAuthorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const wanted = typed.toCreate({ operationId, receiverAuthorization })
      const created = await area.create(contextOf(c, deps), c.var.signedIn.accountId, wanted)
      if (!created.ok) {
        if (created.refusal === 'not_found') throw area.notFound()
        return refuse(refusalWords(area.rows.kind, created.refusal))
      }

      const { subscription, secret } = created.value
      if (secret === null)
        return c.redirect(
          `${area.path}/${subscription.id}?aviso=${area.createdNotice(subscription)}`,
          303,
        )
      const page = { ...(await frame(c)), view: area, subscription, secret }
      return c.html(<SecretPage {...page} />)
    })
    .use('/:id/*', async (c, next) => {
      if (!isUuid(c.req.param('id'))) throw area.notFound()
      await next()
    })
    .route('/:id', oneRoutes(deps, area))
}

/** What the list shows in each of its responses. */
async function listPage(c: Signed, { now }: Deps, area: Area) {
  return {
    ...(await frame(c)),
    view: area,
    subscriptions: await listSubscriptions(c.env.DB, area.rows, c.var.signedIn.accountId, now()),
    admitted: isAdmissionOpen(c.env),
  }
}
