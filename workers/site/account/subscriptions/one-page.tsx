import type { Child } from 'hono/jsx'
import type { Delivery, DeliveryPage } from '../../../../shared/subscriptions/deliveries.ts'
import type { Subscription } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import type { View } from './area.ts'
import { DeliveryList } from './delivery-list.tsx'
import { Problem } from '../problem.tsx'
import {
  mayGoAgain,
  Redelivered,
  type RedeliveredProps,
  RedeliverMissed,
  RedeliverOne,
} from './redelivery.tsx'
import { StateTag } from './state-tag.tsx'
import { errorWords, isOpen, statusWords } from './delivery-words.ts'

interface OnePageProps extends Frame {
  view: View
  subscription: Subscription
  admitted: boolean
  page: DeliveryPage
  /** A further sentence about its state. */
  more: Child
  /** The test that was just sent. */
  test?: Delivery | undefined
  /** What was just requested again. */
  redelivered?: RedeliveredProps | null
  notice?: string | undefined
  problem?: string | undefined
}

/** One subscription: its state, its actions, and its last deliveries. */
export function OnePage(props: OnePageProps) {
  const { email, token, view, subscription, admitted, page, more, notice, problem } = props
  const { test, redelivered } = props
  const { words } = view
  const path = `${view.path}/${subscription.id}`

  return (
    <Layout title={view.title(subscription)} email={email} scripts={['test-result.js']}>
      <div class="page-head">
        <div>
          <h1>{view.heading(subscription)}</h1>
          <p class="muted breakable">{view.longTarget(subscription)}</p>
        </div>
      </div>
      <AccountNav here={view.path} />
      <Notice code={notice} />
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
          <StateTag {...view.state(subscription)} />
        </div>
        {more}
        <Actions {...props} path={path} />
      </section>
      {view.isDelivered(subscription) && (
        <section class="card" aria-labelledby="entregas">
          <h2 id="entregas">Últimas entregas</h2>
          {subscription.enabled && page.deliveries.length > 0 && (
            <RedeliverMissed path={path} token={token} />
          )}
          <DeliveryList
            deliveries={page.deliveries}
            automatic={words.automatic}
            actions={(delivery) =>
              mayGoAgain(delivery, subscription) && (
                <RedeliverOne path={path} token={token} delivery={delivery} />
              )
            }
          />
          {page.next !== null && (
            <p>
              <a href={`${path}?desde=${page.next}#entregas`}>Ver más viejas</a>
            </p>
          )}
        </section>
      )}
      <p class="back">
        <a href={view.path}>{words.back}</a>
      </p>
    </Layout>
  )
}

function Actions({ token, view, subscription, path }: OnePageProps & { path: string }) {
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
      {view.canActivate(subscription) && button('activar', 'Activar', true)}
      {button('probar', 'Mandar una prueba')}
      <a class="button" href={`${path}/editar`}>
        Editar
      </a>
      {view.isDelivered(subscription) && (
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

/**
 * What became of a test. While it is open, test-result.js reloads this part; without JavaScript
 * there is a link.
 */
function TestResult({ test, path }: { test: Delivery; path: string }) {
  const open = isOpen(test)
  const tone = test.status === 'delivered' ? ' good' : open ? '' : ' bad'

  return (
    <div id="prueba" class="standing" role="status" data-open={open ? 'true' : undefined}>
      <p class={`notice${tone}`}>
        <strong>Prueba: {statusWords(test)}.</strong> {explain(test)}{' '}
        {open && <a href={`${path}?prueba=${test.deliveryId}`}>Ver cómo sigue</a>}
      </p>
    </div>
  )
}

function explain(test: Delivery): string {
  const { status, code } = test
  if (status === 'delivered') return `El receptor respondió HTTP ${code}.`

  const error = errorWords(test)
  if (!error) return isOpen(test) ? 'Sale en unos segundos.' : ''
  return code === null ? `Motivo: ${error}.` : `Motivo: ${error} (HTTP ${code}).`
}
