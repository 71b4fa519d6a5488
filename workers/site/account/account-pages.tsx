import { Hono } from 'hono'
import { deleteAccount } from '../../../shared/db/delete-account.ts'
import { normalizeEmail } from '../../../shared/db/accounts/accounts.ts'
import { listKeys } from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, Deps, SiteContext } from '../context.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { AskingPage } from './asking-page.tsx'
import { BODY_LIMIT, readOwnForm } from './forms.ts'
import { type Frame, frame } from './frame.ts'
import { githubStart } from './github.ts'
import { EMAIL_MISMATCH } from './messages.ts'
import { alertArea } from './alerts/alert-area.tsx'
import { AccountPage } from './account-page.tsx'
import { keyRoutes } from './key-routes.tsx'
import { subscriptionPages } from './subscriptions/routes.tsx'
import { endSession, passCookies, signedInPage } from './session.ts'
import type { SignInDeps } from './sign-in-limits.ts'
import { signIn } from './sign-in.tsx'
import { webhookArea } from './webhook-area.tsx'

/** `/cuenta`: sign-in, the list of keys and what can be done with them. Works without JavaScript. */
export function accountPages(deps: SignInDeps) {
  return new Hono<SiteContext>()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .use(sameOriginOnly, BODY_LIMIT)
    .route('/', signIn(deps))
    .route('/', githubStart(deps))
    .route('/', signedInPages(deps))
}

function signedInPages(deps: Deps) {
  return new Hono<AccountContext>()
    .use(signedInPage)
    .get('/', async (c) => {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.html(<AccountPage {...await frame(c)} keys={keys} notice={c.req.query('aviso')} />)
    })
    .route('/claves', keyRoutes(deps))
    .get('/borrar', async (c) => c.html(<DeletePage {...await frame(c)} />))
    .post('/borrar', async (c) => {
      const { correo = '' } = await readOwnForm(c)
      const { accountId, email } = c.var.signedIn
      if (normalizeEmail(correo) !== email)
        return c.html(<DeletePage {...await frame(c)} typed={correo} />, 400)

      await deleteAccount(c.env.DB, accountId)
      passCookies(await endSession(c), c)
      return c.redirect('/cuenta/entrar?aviso=cuenta-borrada', 303)
    })
    .route('/webhooks', subscriptionPages(deps, webhookArea))
    .route('/alertas', subscriptionPages(deps, alertArea))
    .post('/salir', async (c) => {
      await readOwnForm(c)
      passCookies(await endSession(c), c)
      return c.redirect('/cuenta/entrar?aviso=salida', 303)
    })
}

/** `typed` is the text that was not the account's e-mail. */
function DeletePage({ typed, ...props }: Frame & { typed?: string }) {
  const wrong = typed !== undefined

  return (
    <AskingPage
      {...props}
      title="Borrar la cuenta"
      action="/cuenta/borrar"
      back="/cuenta"
      submit="Borrar mi cuenta"
      danger
    >
      <p>
        Se borran para siempre tus claves, tus webhooks, tus alertas, sus entregas y todas tus
        sesiones. Lo que use tus claves deja de funcionar en el acto.
      </p>
      <label for="correo">
        Para confirmar, escribí tu correo: <strong class="breakable">{props.email}</strong>
      </label>
      <input
        id="correo"
        name="correo"
        type="email"
        value={typed}
        autocomplete="off"
        required
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={wrong ? 'correo-error' : undefined}
      />
      {wrong && (
        <p id="correo-error" class="field-error" role="alert">
          {EMAIL_MISMATCH}.
        </p>
      )}
    </AskingPage>
  )
}
