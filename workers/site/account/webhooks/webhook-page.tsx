import { pairKey } from '../../../../shared/market/catalog.ts'
import type { Delivery, DeliveryPage } from '../../../../shared/db/deliveries/list.ts'
import type { Webhook } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { StateNote, StateTag } from './state-note.tsx'
import { TestResult } from './test-result.tsx'
import { ClosedNote, Problem } from './webhooks-page.tsx'

export interface WebhookPageProps extends Frame {
  webhook: Webhook
  admitted: boolean
  page: DeliveryPage
  /** The test that was just sent. */
  test?: Delivery | undefined
  notice?: string | undefined
  problem?: string | undefined
}

/** One webhook: how it is, what can be done with it, and its last deliveries. */
export function WebhookPage(props: WebhookPageProps) {
  const { email, webhook, admitted, page, test, notice, problem } = props
  const { id, pair, destination, receiverAuthorizationConfigured } = webhook
  const path = `/cuenta/webhooks/${id}`

  return (
    <Layout title={`Webhook de ${pair.name}`} email={email} scripts={['test-result.js']}>
      <div class="page-head">
        <div>
          <h1>Webhook de {pair.name}</h1>
          <p class="muted breakable">
            <code>{pairKey(pair)}</code> hacia {destination}
          </p>
        </div>
      </div>
      <AccountNav here="/cuenta/webhooks" />
      <Notice code={notice} />
      {problem && (
        <div class="standing">
          <Problem text={problem} alert />
        </div>
      )}
      {!admitted && <ClosedNote />}
      {test && <TestResult test={test} path={path} />}
      <section class="card" aria-labelledby="estado">
        <div class="card-head">
          <h2 id="estado">Estado</h2>
          <StateTag webhook={webhook} />
        </div>
        <StateNote webhook={webhook} />
        <p class="muted">
          {receiverAuthorizationConfigured
            ? 'Con credencial para el receptor.'
            : 'Sin credencial para el receptor.'}
        </p>
        <Actions {...props} path={path} />
      </section>
      <section class="card" aria-labelledby="entregas">
        <h2 id="entregas">Últimas entregas</h2>
        <DeliveryList deliveries={page.deliveries} />
        {page.next !== null && (
          <p>
            <a href={`${path}?desde=${page.next}#entregas`}>Ver más viejas</a>
          </p>
        )}
      </section>
      <p class="back">
        <a href="/cuenta/webhooks">Volver a los webhooks</a>
      </p>
    </Layout>
  )
}

function Actions({ token, webhook, path }: WebhookPageProps & { path: string }) {
  const { enabled, version } = webhook
  const hidden = (
    <>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="version" value={String(version)} />
    </>
  )

  return (
    <div class="actions">
      {enabled ? (
        <form method="post" action={`${path}/pausar`}>
          {hidden}
          <button type="submit">Pausar</button>
        </form>
      ) : (
        <form method="post" action={`${path}/activar`}>
          {hidden}
          <button type="submit" class="primary">
            Activar
          </button>
        </form>
      )}
      <form method="post" action={`${path}/probar`}>
        <input type="hidden" name="token" value={token} />
        <button type="submit">Mandar una prueba</button>
      </form>
      <a class="button" href={`${path}/editar`}>
        Editar
      </a>
      <a class="button" href={`${path}/rotar`}>
        Rotar el secreto
      </a>
      <a class="button danger" href={`${path}/borrar`}>
        Borrar…
      </a>
    </div>
  )
}
