import type { IssuedKey, KeyRecord } from '../../../shared/db/accounts/api-keys.ts'
import { AskingPage } from './asking-page.tsx'
import type { Frame } from './frame.ts'
import { SecretPage } from './secret-page.tsx'

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

interface IssuedProps extends Frame {
  issued: IssuedKey
  origin: string
  rotated?: boolean
}

export function KeySecretPage({ email, issued, origin, rotated = false }: IssuedProps) {
  const command = `curl -H 'Authorization: Bearer ${issued.key}' ${origin}/api/v2/auth/check`
  const lead = (
    <>
      Esta es la clave{' '}
      <strong>
        <bdi>{issued.record.name}</bdi>
      </strong>
      . {rotated && 'La anterior ya no sirve. '}
      <strong>Copiala ahora: no la vamos a mostrar otra vez.</strong>
    </>
  )
  return (
    <SecretPage
      email={email}
      title={rotated ? 'Clave rotada' : 'Clave creada'}
      lead={lead}
      boxes={[
        { id: 'secreto', title: 'Clave', text: issued.key, what: 'la clave' },
        { id: 'curl', title: 'Para probarla', text: command, what: 'el comando' },
      ]}
      back="/cuenta"
      done="Listo, la guardé"
    />
  )
}
