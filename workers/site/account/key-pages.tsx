import type { KeyRecord } from '../../../shared/db/accounts/api-keys.ts'
import { AskingPage } from './asking-page.tsx'
import type { Frame } from './frame.ts'

export interface KeyPageProps extends Frame {
  record: KeyRecord
  problem?: string
}

/** Asks before the secret is replaced; the form says which secret it means. */
export function RotatePage({ record, ...props }: KeyPageProps) {
  return (
    <AskingPage
      {...props}
      title="Rotar la clave"
      action={`/cuenta/claves/${record.id}/rotar`}
      back="/cuenta"
      submit="Rotar la clave"
      seen={{ prefijo: record.prefix }}
    >
      <KeyTitle record={record} />
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. El nombre
        y la fecha quedan como están.
        {record.inherited && ' La clave pasa al formato nuevo.'}
      </p>
    </AskingPage>
  )
}

export function RevokePage({ record, ...props }: KeyPageProps) {
  return (
    <AskingPage
      {...props}
      title="Revocar la clave"
      action={`/cuenta/claves/${record.id}/revocar`}
      back="/cuenta"
      submit="Revocar la clave"
      danger
    >
      <KeyTitle record={record} />
      <p>
        Deja de servir en el acto y <strong>no se puede recuperar</strong>. Tus webhooks siguen
        andando.
      </p>
    </AskingPage>
  )
}

function KeyTitle({ record }: { record: KeyRecord }) {
  return (
    <p class="key-title">
      <strong>
        <bdi>{record.name}</bdi>
      </strong>{' '}
      <code>{record.prefix}…</code>
    </p>
  )
}
