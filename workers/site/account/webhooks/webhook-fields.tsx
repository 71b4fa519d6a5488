import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import type { FieldsProps } from '../subscriptions/area.ts'
import { CredentialFields } from '../subscriptions/credential-fields.tsx'

/** A webhook's fields as the form has them. */
export interface WebhookValues {
  /** `USD/BLUE`. */
  par: string
  url: string
}

/** Pair, URL and the receiver's credential. */
export function WebhookFields({
  values,
  hasAuthorization,
  describedby,
}: FieldsProps<WebhookValues>) {
  return (
    <>
      <label for="par">Par que sigue</label>
      <select id="par" name="par" required aria-describedby={describedby}>
        {PAIRS.map((pair) => (
          <option value={pairKey(pair)} selected={pairKey(pair) === values.par}>
            {`${pair.name} (${pairKey(pair)})`}
          </option>
        ))}
      </select>
      <label for="url">URL que recibe los avisos</label>
      <input
        id="url"
        name="url"
        type="url"
        value={values.url}
        required
        maxlength={2048}
        autocomplete="off"
        spellcheck={false}
        placeholder="https://tu-servidor.com/avisos"
        aria-describedby={describedby ? `url-ayuda ${describedby}` : 'url-ayuda'}
      />
      <p id="url-ayuda" class="hint">
        Pública, con HTTPS y puerto 443. Hacemos un POST firmado y esperamos un 2xx en 10 segundos.
      </p>
      <CredentialFields
        hasAuthorization={hasAuthorization}
        hint={`Va tal cual en el encabezado Authorization de cada envío. ${
          hasAuthorization
            ? 'Hay una guardada: si dejás esto vacío, queda como está.'
            : 'Se guarda cifrada y no la volvemos a mostrar.'
        }`}
      />
    </>
  )
}
