import type { Subscription } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import type { View } from './area.ts'
import { Problem } from '../problem.tsx'
import { StateTag } from './state-tag.tsx'

export interface ListPageProps extends Frame {
  view: View
  subscriptions: readonly Subscription[]
  admitted: boolean
  /** The operation id: submitting the form twice creates one subscription. */
  operationId: string
  notice?: string | undefined
  /** Why nothing was created, and what was typed. */
  problem?: string
  values?: unknown
}

/** The account's subscriptions of a kind, and the form for another one. */
export function ListPage(props: ListPageProps) {
  const { email, view, subscriptions, admitted, notice } = props
  const { plural, end, intro, create, closed } = view.words

  return (
    <Layout title={plural} email={email} scripts={view.scripts ?? []}>
      <div class="page-head">
        <div>
          <h1>{plural}</h1>
          <p class="muted">{intro}</p>
        </div>
      </div>
      <AccountNav here={view.path} />
      <Notice code={notice} />
      {!admitted && <p class="notice standing">{closed}</p>}
      <section class="card" aria-labelledby="lista">
        <div class="card-head">
          <h2 id="lista">Tus {plural.toLowerCase()}</h2>
          <p class="count">
            {subscriptions.length} de {view.limit}
          </p>
        </div>
        {subscriptions.length === 0 ? (
          <p class="empty">Todavía no tenés {plural.toLowerCase()}.</p>
        ) : (
          <ul class="keys">
            {subscriptions.map((subscription) => (
              <Row view={view} subscription={subscription} />
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

function Row({ view, subscription }: { view: View; subscription: Subscription }) {
  const labelled = `${view.words.slug}-${subscription.id}`

  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {view.name(subscription)} <StateTag {...view.state(subscription)} />
        </p>
        <p class="key-facts">
          <span class="breakable">{view.target(subscription)}</span>
        </p>
        <p class="state-note">{view.state(subscription).text}</p>
      </div>
      <div class="key-actions">
        <a class="button" href={`${view.path}/${subscription.id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function CreateForm(props: ListPageProps) {
  const { token, view, subscriptions, admitted, operationId, problem, values = view.empty } = props
  const { words, limit, Fields } = view
  const isFull = subscriptions.length >= limit
  if (isFull || !admitted) {
    const soon = `Cuando la función esté lista, vas a poder crearl${words.end}s acá`
    const text = isFull ? words.full(subscriptions.length) : (problem ?? soon)
    return <Problem text={text} alert={problem !== undefined} />
  }

  const error = problem === undefined ? undefined : `${words.slug}-error`
  return (
    <form method="post" action={view.path} class="create">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="operacion" value={operationId} />
      {problem !== undefined && <Problem text={problem} alert id={error} />}
      <Fields values={values} describedby={error} />
      {view.extraField}
      <div class="actions">
        <button type="submit" class="primary">
          {words.submit}
        </button>
      </div>
    </form>
  )
}
