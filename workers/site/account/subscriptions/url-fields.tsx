import type { Child } from 'hono/jsx'

interface UrlFieldsProps {
  label: string
  value: string
  /** Whether the browser asks for it: not where another choice of the form leaves it out. */
  required?: boolean
  hint?: Child
  describedby?: string | undefined
  hasAuthorization?: boolean | undefined
  credentialHint?: Child
}

/** The URL of the receiver, and its credential: the stored one is never shown. */
export function UrlFields(props: UrlFieldsProps) {
  const { hint, describedby, hasAuthorization, credentialHint } = props
  return (
    <>
      <label for="url">{props.label}</label>
      <input
        id="url"
        name="url"
        type={props.required ? 'url' : 'text'}
        inputmode="url"
        value={props.value}
        required={props.required}
        maxlength={2048}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="https://tu-servidor.com/avisos"
        aria-describedby={[hint && 'url-ayuda', describedby].filter(Boolean).join(' ') || undefined}
      />
      {hint && (
        <p id="url-ayuda" class="hint">
          {hint}
        </p>
      )}
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
        aria-describedby={credentialHint ? 'autorizacion-ayuda' : undefined}
      />
      {credentialHint && (
        <p id="autorizacion-ayuda" class="hint">
          {credentialHint}
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
