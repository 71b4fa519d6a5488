import { AskingPage } from './asking-page.tsx'
import type { Frame } from './frame.ts'
import { EMAIL_MISMATCH } from './messages.ts'

/** `typed` is the text that was not the account's e-mail. */
export function DeletePage({ typed, ...props }: Frame & { typed?: string }) {
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
