import { isAPIError } from 'better-auth/api'
import { type Context, Hono } from 'hono'
import { type Mail, normalizeEmail } from '../../../shared/mail.ts'
import { logFailure } from '../../../shared/log.ts'
import type { SiteContext } from '../context.ts'
import { pruneSessions } from '../db/sign-in.ts'
import { badRequest, HttpError, notFound } from '../../../shared/http-error.ts'
import { CardPage } from '../layout.tsx'
import type { SentTo } from '../mail.ts'
import { githubApp, LINK_MINUTES, linkIdentifier, openAuth } from './auth.ts'
import { apiHeaders } from './guards.ts'
import { Field, Notice, Problem } from './parts.tsx'
import { endSession, passCookies, readForm, readSession } from './session.tsx'
import { type SignInDeps, limitSignIn } from './sign-in-limits.ts'

/**
 * Signing in: the user requests a link, opens it and presses the button on its page. Opening the
 * link changes nothing, because mail scanners open links too. Every sign-in ends at `/cuenta`: no
 * parameter can name another page.
 */
export function signIn(deps: SignInDeps) {
  return (
    new Hono<SiteContext>()
      .get('/entrar', async (c) => {
        if (await readSession(c)) return c.redirect('/cuenta', 303)
        return c.html(signInPage(c))
      })
      .post('/entrar', async (c) => {
        const { email: typed = '' } = await readForm(c)
        const email = normalizeEmail(typed)
        const sentTo = email && (await sendLink(c, deps, email))
        if (!sentTo) return c.html(signInPage(c, typed), 400)

        return c.html(<SentPage email={email} sentTo={sentTo} />)
      })
      .get('/enlace', async (c) => {
        const token = c.req.query('token') ?? ''
        const email = await deps.limitGuesses(c, token, () => emailOfLink(c, deps, token))
        if (!email) throw deadLink()
        return c.html(<ConfirmPage email={email} linkToken={token} />)
      })
      .post('/enlace', async (c) => {
        const { enlace: token } = await readForm(c)
        if (!token) throw badRequest('Falta el enlace')

        const headers = await deps.limitGuesses(c, token, () => openLink(c, token))
        if (!headers) throw deadLink()

        if (await readSession(c)) await endSession(c)
        passCookies(headers, c)
        return c.redirect('/cuenta', 303)
      })
      // Each start stores a row, so starts have limits and old rows are deleted, as for links.
      .post('/entrar/github', async (c) => {
        if (!hasGithub(c)) throw notFound()

        const auth = openAuth(c)
        await limitSignIn(c, deps)
        await pruneSessions(c.env.DB, deps.now())
        const { response, headers } = await auth.api.signInSocial({
          body: {
            provider: 'github',
            callbackURL: '/cuenta',
            errorCallbackURL: '/cuenta/entrar?aviso=github',
            disableRedirect: true,
          },
          headers: c.req.raw.headers,
          returnHeaders: true,
        })
        passCookies(headers, c)
        return c.redirect(response.url!, 303)
      })
  )
}

/**
 * The callback of GitHub, the only route of the sign-in library that requests can reach. The
 * library has no route for HEAD, so a HEAD signs nobody in.
 */
export function githubCallback({ limitGuesses }: Pick<SignInDeps, 'limitGuesses'>) {
  return new Hono<SiteContext>().use(apiHeaders).get('/callback/github', async (c) => {
    if (!hasGithub(c)) throw notFound()

    const signedIn = await limitGuesses(c, c.req.query('state') ?? '', async () => {
      const answer = await openAuth(c).handler(c.req.raw)
      const location = answer.headers.get('Location')
      passCookies(answer.headers, c)
      return location === null || location.includes('error') ? null : location
    })
    return c.redirect(signedIn ? '/cuenta' : '/cuenta/entrar?aviso=github', 303)
  })
}

const deadLink = () =>
  new HttpError(
    410,
    `Este enlace ya no sirve: cada uno se usa una sola vez y vence a los ${LINK_MINUTES} minutos. Pedí otro desde la página de entrada`,
  )
const hasGithub = ({ env }: Context<SiteContext>) => githubApp(env) !== undefined

/** Mails a link. Returns where to read it, or null when the sign-in library refuses the address. */
async function sendLink(c: Context<SiteContext>, deps: SignInDeps, email: string) {
  let sentTo: SentTo = 'mailbox'
  const auth = openAuth(c, async (to, token) => {
    const mail = signInMail(to, `${c.var.origin}/cuenta/enlace?token=${token}`)
    sentTo = await deps.sendMail(c.env, mail)
  })
  await limitSignIn(c, deps, email)
  await pruneSessions(c.env.DB, deps.now())

  try {
    await auth.api.signInMagicLink({ body: { email }, headers: c.req.raw.headers })
    return sentTo
  } catch (error) {
    if (isAPIError(error) && error.statusCode === 400) return null

    logFailure('unexpected_error', error)
    throw new HttpError(503, 'No pudimos mandar el enlace; probá de nuevo en unos minutos', {
      retryAfter: 60,
    })
  }
}

/** The e-mail that a link would sign in; null when the link was used, expired or never made. */
async function emailOfLink(c: Context<SiteContext>, { now }: SignInDeps, token: string) {
  const { internalAdapter } = await openAuth(c).$context
  const link = await internalAdapter.findVerificationValue(await linkIdentifier(token))
  if (!link || link.expiresAt.getTime() <= now()) return null
  return (JSON.parse(link.value) as { email: string }).email
}

/** Uses up a link. Returns the cookies of the new session, or null when the link is invalid. */
async function openLink(c: Context<SiteContext>, token: string): Promise<Headers | null> {
  const response = await openAuth(c).api.magicLinkVerify({
    query: { token },
    headers: new Headers(),
    asResponse: true,
  })
  return response.ok ? response.headers : null
}

function signInMail(to: string, link: string): Mail {
  const paragraphs = [
    'Hola:',
    `Para entrar a tu cuenta de Cotizaciones abrí este enlace y tocá Entrar. Sirve una sola vez, durante ${LINK_MINUTES} minutos.`,
    link,
    'Si no lo pediste, no hace falta que hagas nada: sin el enlace nadie puede entrar.',
  ]
  return { to, subject: 'Tu enlace para entrar a Cotizaciones', text: paragraphs.join('\n\n') }
}

/** The first page of a sign-in. `typed` is the refused text, when it is not an e-mail. */
function signInPage(c: Context<SiteContext>, typed?: string) {
  const isInvalid = typed !== undefined
  return (
    <CardPage title="Entrar">
      <p class="lead">
        Te mandamos un enlace por correo. No hace falta contraseña, y si todavía no tenés cuenta se
        crea al entrar.
      </p>
      <Notice code={c.req.query('aviso')} />
      {isInvalid && <Problem text="Eso no parece un correo electrónico" />}
      <form method="post" action="/cuenta/entrar" novalidate={isInvalid}>
        <Field
          name="email"
          label="Correo electrónico"
          type="email"
          value={typed}
          autocomplete="email"
          inputmode="email"
          maxlength={254}
          required
          autofocus={isInvalid}
          isRefused={isInvalid}
        />
        <button type="submit" class="primary wide">
          Mandarme el enlace
        </button>
      </form>
      {hasGithub(c) && (
        <form method="post" action="/cuenta/entrar/github">
          <p class="muted">o</p>
          <button type="submit" class="wide">
            Entrar con GitHub
          </button>
        </form>
      )}
    </CardPage>
  )
}

/** This page is equal for known and unknown addresses, so it does not reveal who has an account. */
function SentPage({ email, sentTo }: { email: string; sentTo: SentTo }) {
  const life = `Sirve una sola vez, durante ${LINK_MINUTES} minutos.`
  if (sentTo === 'terminal')
    return (
      <CardPage title="Mirá la terminal" role="status">
        <p>
          Este servicio no tiene servidor de correo: el enlace de{' '}
          <strong class="breakable">{email}</strong> está en la terminal en la que arrancó, en la
          línea que empieza con <code>link</code>. {life}
        </p>
      </CardPage>
    )
  return (
    <CardPage title="Revisá tu correo" role="status">
      <p>
        Mandamos un enlace a <strong class="breakable">{email}</strong>. {life}
      </p>
      <p class="muted">
        ¿No llega? Mirá en el correo no deseado o <a href="/cuenta/entrar">pedí otro</a>.
      </p>
    </CardPage>
  )
}

function ConfirmPage({ email, linkToken }: { email: string; linkToken: string }) {
  return (
    <CardPage title="Entrar a tu cuenta">
      <p>
        Vas a entrar como <strong class="breakable">{email}</strong>.
      </p>
      <form method="post" action="/cuenta/enlace">
        <input type="hidden" name="enlace" value={linkToken} />
        <button type="submit" class="primary wide">
          Entrar
        </button>
      </form>
      <p class="muted">Si no es tu correo, cerrá esta página.</p>
    </CardPage>
  )
}
