import { argentineDay } from '../../../shared/argentine-time.ts'
import { type IssuedKey, KEY_LIMIT, type KeyRecord } from '../../../shared/db/accounts/api-keys.ts'
import { AskingPage, Field, type Frame, SecretPage, SessionForm, TabPage } from './parts.tsx'

interface KeysPageProps extends Frame {
  keys: KeyRecord[]
  notice?: string | undefined
  /** Why the key was not made. */
  problem?: string | undefined
  /** The name that was typed. */
  name?: string | undefined
}

/** The account's first page. */
export function KeysPage({ email, token, keys, notice, problem, name }: KeysPageProps) {
  const leave = (
    <SessionForm action="/cuenta/salir" token={token}>
      <button type="submit">Salir</button>
    </SessionForm>
  )
  return (
    <TabPage
      title="Tu cuenta"
      email={email}
      lead={email}
      action={leave}
      here="/cuenta"
      notice={notice}
    >
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
    </TabPage>
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
          <span>{lastUsedDay ? <>Usada el {<Day day={lastUsedDay} />}</> : 'Sin uso'}</span>
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

interface CreateFormProps extends Pick<Frame, 'token'> {
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
    <SessionForm action="/cuenta/claves" token={token} class="create">
      <Field
        name="nombre"
        label="Nombre de la clave nueva"
        type="text"
        value={name}
        maxlength={60}
        required
        autocomplete="off"
        placeholder="Por ejemplo: planilla de precios"
        error={problem}
      >
        <button type="submit" class="primary">
          Crear clave
        </button>
      </Field>
    </SessionForm>
  )
}

interface KeyPageProps extends Frame {
  record: KeyRecord
  problem?: string | undefined
}

/** Asks before the secret is replaced; the form says which secret it means. */
export function RotatePage({ record, ...props }: KeyPageProps) {
  return (
    <AskingPage
      {...props}
      title="Rotar la clave"
      action={`/cuenta/claves/${record.id}/rotar`}
      back="/cuenta"
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
  const action = `/cuenta/claves/${record.id}/revocar`
  return (
    <AskingPage {...props} title="Revocar la clave" action={action} back="/cuenta" danger>
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

interface KeySecretPageProps extends Pick<Frame, 'email'> {
  issued: IssuedKey
  origin: string
  isRotated?: boolean
}

export function KeySecretPage({ email, issued, origin, isRotated }: KeySecretPageProps) {
  const command = `curl -H 'Authorization: Bearer ${issued.key}' ${origin}/api/v2/auth/check`
  const lead = (
    <>
      Esta es la clave{' '}
      <strong>
        <bdi>{issued.record.name}</bdi>
      </strong>
      . {isRotated && 'La anterior ya no sirve. '}
      <strong>Copiala ahora: no la vamos a mostrar otra vez.</strong>
    </>
  )
  return (
    <SecretPage
      email={email}
      title={isRotated ? 'Clave rotada' : 'Clave creada'}
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

export function DeletePage(
  props: Frame & { typed: string | undefined; problem: string | undefined },
) {
  const { typed, problem, ...frame } = props
  const label = (
    <>
      Para confirmar, escribí tu correo: <strong class="breakable">{frame.email}</strong>
    </>
  )
  return (
    <AskingPage
      {...frame}
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
      <Field
        name="correo"
        label={label}
        type="email"
        value={typed}
        autocomplete="off"
        required
        error={problem}
      />
    </AskingPage>
  )
}
