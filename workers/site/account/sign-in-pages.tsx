import { CardPage, Field, Notice } from './parts.tsx'

interface SignInPageProps {
  github: boolean
  /** What was typed, when it was not an e-mail. */
  typed?: string
  notice?: string | undefined
}

export function SignInPage({ github, typed, notice }: SignInPageProps) {
  const isInvalid = typed !== undefined
  return (
    <CardPage title={isInvalid ? 'Entrar: revisá el correo' : 'Entrar'} heading="Entrar">
      <p class="lead">
        Te mandamos un enlace por correo. No hace falta contraseña, y si todavía no tenés cuenta se
        crea al entrar.
      </p>
      <Notice code={notice} />
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
          error={isInvalid ? 'Eso no parece un correo electrónico' : undefined}
        />
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
    </CardPage>
  )
}

/** The same for every address, known or not. */
export function SentPage({ email }: { email: string }) {
  return (
    <CardPage title="Revisá tu correo" role="status">
      <p>
        Mandamos un enlace a <strong class="breakable">{email}</strong>. Sirve una sola vez, durante
        10 minutos.
      </p>
      <p class="muted">
        ¿No llega? Mirá en el correo no deseado o <a href="/cuenta/entrar">pedí otro</a>.
      </p>
    </CardPage>
  )
}

export function ConfirmPage({ email, linkToken }: { email: string; linkToken: string }) {
  return (
    <CardPage title="Entrar a tu cuenta" heading="Ya casi estás">
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

export function DeadLinkPage() {
  return (
    <CardPage title="El enlace no sirve" heading="Este enlace ya no sirve" role="alert">
      <p>Cada enlace se usa una sola vez y vence a los 10 minutos.</p>
      <p>
        <a class="button primary wide" href="/cuenta/entrar">
          Pedir otro enlace
        </a>
      </p>
    </CardPage>
  )
}
