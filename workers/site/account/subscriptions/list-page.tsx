import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import type { Area } from './area.ts'
import { Problem } from '../problem.tsx'
import { StateTag } from './one-page.tsx'

export interface ListPageProps extends Frame {
  area: Area
  subscriptions: readonly StoredSubscription[]
  admitted: boolean
  sendsMail: boolean
  /** The operation id: submitting the form twice creates one subscription. */
  operationId: string
  notice?: string | undefined
  /** Why nothing was created, and what was typed. */
  problem?: string
  values?: unknown
}

/** The account's subscriptions of a kind, and the form for another one. */
export function ListPage(props: ListPageProps) {
  const { email, area, subscriptions, admitted, notice } = props
  const { plural, end, intro, create, closed } = area.words

  return (
    <Layout title={plural} email={email} scripts={area.scripts ?? []}>
      <div class="page-head">
        <div>
          <h1>{plural}</h1>
          <p class="muted">{intro}</p>
        </div>
      </div>
      <AccountNav here={area.path} />
      <Notice code={notice} />
      {!admitted && <p class="notice standing">{closed}</p>}
      <section class="card" aria-labelledby="lista">
        <div class="card-head">
          <h2 id="lista">Tus {plural.toLowerCase()}</h2>
          <p class="count">
            {subscriptions.length} de {area.kind.limit}
          </p>
        </div>
        {subscriptions.length === 0 ? (
          <p class="empty">Todavía no tenés {plural.toLowerCase()}.</p>
        ) : (
          <ul class="keys">
            {subscriptions.map((subscription) => (
              <Row area={area} subscription={subscription} />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby={`nuev${end}`}>
        <h2 id={`nuev${end}`}>{create}</h2>
        <CreateForm {...props} />
      </section>
    </Layout>
  )
}

function Row({ area, subscription }: { area: Area; subscription: StoredSubscription }) {
  const labelled = `${area.words.slug}-${subscription.id}`

  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {area.name(subscription)} <StateTag {...area.state(subscription)} />
        </p>
        <p class="key-facts">
          <span class="breakable">{area.target(subscription)}</span>
        </p>
        <p class="state-note">{area.state(subscription).text}</p>
      </div>
      <div class="key-actions">
        <a class="button" href={`${area.path}/${subscription.id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function CreateForm(props: ListPageProps) {
  const {
    sendsMail,
    token,
    area,
    subscriptions,
    admitted,
    operationId,
    problem,
    values = area.empty,
  } = props
  const { words, kind, Fields } = area
  const isFull = subscriptions.length >= kind.limit
  if (isFull || !admitted) {
    const soon = `Cuando la función esté lista, vas a poder crearl${words.end}s acá`
    const text = isFull ? words.full(subscriptions.length) : (problem ?? soon)
    return <Problem text={text} alert={problem !== undefined} />
  }

  const error = problem === undefined ? undefined : `${words.slug}-error`
  return (
    <form method="post" action={area.path} class="create">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="operacion" value={operationId} />
      {problem !== undefined && <Problem text={problem} alert id={error} />}
      <Fields values={values} mayMail={sendsMail} describedby={error} />
      {area.extraField}
      <div class="actions">
        <button type="submit" class="primary">
          {words.submit}
        </button>
      </div>
    </form>
  )
}
