import type { Delivery, DeliveryPage } from '../../../../shared/subscriptions/deliveries.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import { Problem } from '../problem.tsx'
import type { Area, StateWords } from './area.ts'
import { DeliveryList, Redelivered, type RedeliveredProps, TestResult } from './deliveries.tsx'

interface OnePageProps extends Frame {
  area: Area
  subscription: StoredSubscription
  admitted: boolean
  page: DeliveryPage
  /** The test that was just sent. */
  test?: Delivery | undefined
  /** What was just requested again. */
  redelivered?: RedeliveredProps | null
  notice?: string | undefined
  problem?: string | undefined
}

/** One subscription: its state, its actions, and its last deliveries. */
export function OnePage(props: OnePageProps) {
  const { email, token, area, subscription, admitted, page, problem, test, redelivered } = props
  const { words } = area
  const path = `${area.path}/${subscription.id}`

  return (
    <Layout title={area.title(subscription)} email={email} scripts={['test-result.js']}>
      <div class="page-head">
        <div>
          <h1>{area.heading(subscription)}</h1>
          <p class="muted breakable">{area.longTarget(subscription)}</p>
        </div>
      </div>
      <AccountNav here={area.path} />
      <Notice code={props.notice} />
      {problem && (
        <div class="standing">
          <Problem text={problem} alert />
        </div>
      )}
      {!admitted && <p class="notice standing">{words.closed}</p>}
      {test && <TestResult test={test} path={path} />}
      {redelivered && <Redelivered {...redelivered} />}
      <section class="card" aria-labelledby="estado">
        <div class="card-head">
          <h2 id="estado">Estado</h2>
          <StateTag {...area.state(subscription)} />
        </div>
        {area.more(subscription)}
        <Actions token={token} area={area} subscription={subscription} path={path} />
      </section>
      {area.isDelivered(subscription) && (
        <section class="card" aria-labelledby="entregas">
          <h2 id="entregas">Últimas entregas</h2>
          <DeliveryList
            deliveries={page.deliveries}
            automatic={words.automatic}
            path={path}
            token={token}
            enabled={subscription.enabled}
          />
          {page.next !== null && (
            <p>
              <a href={`${path}?desde=${page.next}#entregas`}>Ver más viejas</a>
            </p>
          )}
        </section>
      )}
      <p class="back">
        <a href={area.path}>{words.back}</a>
      </p>
    </Layout>
  )
}

export function StateTag({ label, tone }: StateWords) {
  return <span class={`tag ${tone}`}>{label}</span>
}

interface ActionsProps extends Pick<OnePageProps, 'token' | 'area' | 'subscription'> {
  path: string
}

function Actions({ token, area, subscription, path }: ActionsProps) {
  const button = (step: string, label: string, primary = false) => (
    <form method="post" action={`${path}/${step}`}>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="version" value={String(subscription.version)} />
      <button type="submit" class={primary ? 'primary' : undefined}>
        {label}
      </button>
    </form>
  )

  return (
    <div class="actions">
      {subscription.enabled && button('pausar', 'Pausar')}
      {area.canActivate(subscription) && button('activar', 'Activar', true)}
      {button('probar', 'Mandar una prueba')}
      <a class="button" href={`${path}/editar`}>
        Editar
      </a>
      {area.isDelivered(subscription) && (
        <a class="button" href={`${path}/rotar`}>
          Rotar el secreto
        </a>
      )}
      <a class="button danger" href={`${path}/borrar`}>
        Borrar…
      </a>
    </div>
  )
}
