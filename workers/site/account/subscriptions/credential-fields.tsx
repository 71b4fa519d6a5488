import type { Child } from 'hono/jsx'

interface CredentialProps {
  hasAuthorization?: boolean | undefined
  hint?: Child
}

/** The receiver's credential. The stored one is never shown. */
export function CredentialFields({ hasAuthorization, hint }: CredentialProps) {
  return (
    <>
      <label for="autorizacion">
        {hasAuthorization ? 'Credencial nueva para el receptor' : 'Credencial para el receptor'}{' '}
        <span class="optional">(opcional)</span>
      </label>
      <input
        id="autorizacion"
        name="autorizacion"
        type="password"
        maxlength={2048}
        autocomplete="off"
        aria-describedby={hint ? 'autorizacion-ayuda' : undefined}
      />
      {hint && (
        <p id="autorizacion-ayuda" class="hint">
          {hint}
        </p>
      )}
      {hasAuthorization && (
        <label class="check">
          <input type="checkbox" name="quitar" value="si" /> Quitar la credencial guardada
        </label>
      )}
    </>
  )
}
