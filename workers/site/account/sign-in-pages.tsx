import { Layout } from '../layout.tsx'
import { Notice } from './notice.tsx'

export interface SignInPageProps {
  github: boolean
  /** What was typed, when it was not an e-mail. */
  email?: string
  invalid?: boolean
  notice?: string | undefined
}

export function SignInPage({ github, email = '', invalid = false, notice }: SignInPageProps) {
  return (
    <Layout title={invalid ? 'Entrar: revisá el correo' : 'Entrar'}>
      <section class="card narrow">
        <h1>Entrar</h1>
        <p class="lead">
          Te mandamos un enlace por correo. No hace falta contraseña, y si todavía no tenés cuenta
          se crea al entrar.
        </p>
        <Notice code={notice} />
        <form method="post" action="/cuenta/entrar" novalidate={invalid}>
          <label for="email">Correo electrónico</label>
          <input
            id="email"
            name="email"
            type="email"
            value={email}
            autocomplete="email"
            inputmode="email"
            maxlength={254}
            required
            aria-invalid={invalid ? 'true' : undefined}
            aria-describedby={invalid ? 'email-error' : undefined}
            autofocus={invalid}
          />
          {invalid && (
            <p id="email-error" class="field-error" role="alert">
              Eso no parece un correo electrónico.
            </p>
          )}
          <button type="submit" class="primary wide">
            Mandarme el enlace
          </button>
        </form>
        {github && (
          <form method="post" action="/cuenta/entrar/github">
            <p class="or">
              <span>o</span>
            </p>
            <button type="submit" class="wide">
              Entrar con GitHub
            </button>
          </form>
        )}
      </section>
    </Layout>
  )
}

/** The same for every address, known or not. */
export function SentPage({ email }: { email: string }) {
  return (
    <Layout title="Revisá tu correo">
      <section class="card narrow" role="status">
        <h1>Revisá tu correo</h1>
        <p>
          Mandamos un enlace a <strong class="breakable">{email}</strong>. Sirve una sola vez,
          durante 10 minutos.
        </p>
        <p class="muted">
          ¿No llega? Mirá en el correo no deseado o <a href="/cuenta/entrar">pedí otro</a>.
        </p>
      </section>
    </Layout>
  )
}

export function ConfirmPage({ email, linkToken }: { email: string; linkToken: string }) {
  return (
    <Layout title="Entrar a tu cuenta">
      <section class="card narrow">
        <h1>Ya casi estás</h1>
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
      </section>
    </Layout>
  )
}

export function DeadLinkPage() {
  return (
    <Layout title="El enlace no sirve">
      <section class="card narrow" role="alert">
        <h1>Este enlace ya no sirve</h1>
        <p>Cada enlace se usa una sola vez y vence a los 10 minutos.</p>
        <p>
          <a class="button primary wide" href="/cuenta/entrar">
            Pedir otro enlace
          </a>
        </p>
      </section>
    </Layout>
  )
}
