import { Layout } from '../layout.tsx'
import { FormActions } from './form-actions.tsx'
import type { Frame } from './frame.ts'
import { EMAIL_MISMATCH } from './messages.ts'

/** `typed` is what was written when it was not the account's e-mail. */
export function DeletePage({ email, token, typed }: Frame & { typed?: string }) {
  const wrong = typed !== undefined

  return (
    <Layout title="Borrar la cuenta" email={email}>
      <section class="card narrow">
        <h1>Borrar la cuenta</h1>
        <p>
          Se borran para siempre tus claves, tus webhooks, tus alertas, sus entregas y todas tus
          sesiones. Lo que use tus claves deja de funcionar en el acto.
        </p>
        <form method="post" action="/cuenta/borrar">
          <input type="hidden" name="token" value={token} />
          <label for="correo">
            Para confirmar, escribí tu correo: <strong class="breakable">{email}</strong>
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
          <FormActions submit="Borrar mi cuenta" danger back="/cuenta" />
        </form>
      </section>
    </Layout>
  )
}
