import { argentineDay } from '../../../shared/argentine-time.ts'
import { KEY_LIMIT, type KeyRecord } from '../../../shared/db/accounts/api-keys.ts'
import { Layout } from '../layout.tsx'
import { AccountNav } from './account-nav.tsx'
import type { Frame } from './frame.ts'
import { Notice } from './notice.tsx'

export interface AccountPageProps extends Frame {
  keys: KeyRecord[]
  notice?: string | undefined
  /** Why the key was not made. */
  problem?: string
  /** The name that was typed. */
  name?: string
}

export function AccountPage({ email, token, keys, notice, problem, name }: AccountPageProps) {
  return (
    <Layout title="Tu cuenta" email={email}>
      <div class="page-head">
        <div>
          <h1>Tu cuenta</h1>
          <p class="muted breakable">{email}</p>
        </div>
        <form method="post" action="/cuenta/salir">
          <input type="hidden" name="token" value={token} />
          <button type="submit">Salir</button>
        </form>
      </div>
      <AccountNav here="/cuenta" />
      <Notice code={notice} />
      <section class="card" aria-labelledby="claves">
        <div class="card-head">
          <h2 id="claves">Claves de API</h2>
          <p class="count">
            {keys.length} de {KEY_LIMIT}
          </p>
        </div>
        <p class="muted">
          Sirven para el histórico y los webhooks. Las cotizaciones se leen sin clave.
        </p>
        {keys.length === 0 ? (
          <p class="empty">Todavía no tenés claves. Creá la primera acá abajo.</p>
        ) : (
          <ul class="keys">
            {keys.map((key) => (
              <KeyRow record={key} />
            ))}
          </ul>
        )}
        <CreateForm token={token} count={keys.length} problem={problem} name={name} />
      </section>
      <section class="card quiet" aria-labelledby="borrar">
        <h2 id="borrar">Borrar la cuenta</h2>
        <p class="muted">
          Se borran tus claves, tus webhooks, tus alertas y sus entregas. No hay vuelta atrás.
        </p>
        <p>
          <a class="button danger" href="/cuenta/borrar">
            Borrar la cuenta…
          </a>
        </p>
      </section>
    </Layout>
  )
}

function KeyRow({ record }: { record: KeyRecord }) {
  const { id, name, prefix, inherited, createdAt, lastUsedDay } = record
  const labelled = `clave-${id}`

  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          <bdi>{name}</bdi>
          {inherited && <span class="tag">Heredada de v1</span>}
        </p>
        <p class="key-facts">
          <code>{prefix}…</code>
          <span>
            Creada el <Day day={argentineDay(createdAt)} />
          </span>
          <span>
            {lastUsedDay ? (
              <>
                Usada el <Day day={lastUsedDay} />
              </>
            ) : (
              'Sin uso'
            )}
          </span>
        </p>
      </div>
      <div class="key-actions">
        <a class="button" href={`/cuenta/claves/${id}/rotar`} aria-describedby={labelled}>
          Rotar
        </a>
        <a class="button danger" href={`/cuenta/claves/${id}/revocar`} aria-describedby={labelled}>
          Revocar
        </a>
      </div>
    </li>
  )
}

/** `YYYY-MM-DD` as people write it here. */
function Day({ day }: { day: string }) {
  const [year, month, date] = day.split('-')
  return <time datetime={day}>{`${Number(date)}/${Number(month)}/${year}`}</time>
}

interface CreateFormProps {
  token: string
  count: number
  problem: string | undefined
  name: string | undefined
}

function CreateForm({ token, count, problem, name }: CreateFormProps) {
  if (count >= KEY_LIMIT)
    return (
      <p class={problem ? 'notice bad' : 'notice'} role={problem ? 'alert' : undefined}>
        {count > KEY_LIMIT
          ? `Tenés ${count} claves, y todas siguen sirviendo. Para crear otra, revocá hasta que queden menos de ${KEY_LIMIT}.`
          : `Tenés las ${KEY_LIMIT} claves que admite una cuenta. Para crear otra, revocá alguna.`}
      </p>
    )

  return (
    <form method="post" action="/cuenta/claves" class="create">
      <input type="hidden" name="token" value={token} />
      <label for="nombre">Nombre de la clave nueva</label>
      <div class="field-row">
        <input
          id="nombre"
          name="nombre"
          type="text"
          value={name}
          maxlength={60}
          required
          autocomplete="off"
          placeholder="Por ejemplo: planilla de precios"
          aria-invalid={problem ? 'true' : undefined}
          aria-describedby={problem ? 'nombre-error' : undefined}
        />
        <button type="submit" class="primary">
          Crear clave
        </button>
      </div>
      {problem && (
        <p id="nombre-error" class="field-error" role="alert">
          {problem}.
        </p>
      )}
    </form>
  )
}
