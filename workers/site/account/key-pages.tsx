import type { KeyRecord } from '../../../shared/db/accounts/api-keys.ts'
import { Layout } from '../layout.tsx'
import type { Frame } from './frame.ts'

export interface KeyPageProps extends Frame {
  record: KeyRecord
  problem?: string
}

/** Asks before the secret is replaced; the form says which secret it means. */
export function RotatePage({ email, token, record, problem }: KeyPageProps) {
  return (
    <Layout title="Rotar la clave" email={email}>
      <section class="card narrow">
        <h1>Rotar la clave</h1>
        {problem && (
          <p class="notice bad" role="alert">
            {problem}.
          </p>
        )}
        <KeyTitle record={record} />
        <p>
          Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. El
          nombre y la fecha quedan como están.
          {record.inherited && ' La clave pasa al formato nuevo.'}
        </p>
        <form method="post" action={`/cuenta/claves/${record.id}/rotar`} class="actions">
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="prefijo" value={record.prefix} />
          <button type="submit" class="primary">
            Rotar la clave
          </button>
          <a class="button" href="/cuenta">
            Cancelar
          </a>
        </form>
      </section>
    </Layout>
  )
}

export function RevokePage({ email, token, record }: KeyPageProps) {
  return (
    <Layout title="Revocar la clave" email={email}>
      <section class="card narrow">
        <h1>Revocar la clave</h1>
        <KeyTitle record={record} />
        <p>
          Deja de servir en el acto y <strong>no se puede recuperar</strong>. Tus webhooks siguen
          andando.
        </p>
        <form method="post" action={`/cuenta/claves/${record.id}/revocar`} class="actions">
          <input type="hidden" name="token" value={token} />
          <button type="submit" class="danger filled">
            Revocar la clave
          </button>
          <a class="button" href="/cuenta">
            Cancelar
          </a>
        </form>
      </section>
    </Layout>
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
