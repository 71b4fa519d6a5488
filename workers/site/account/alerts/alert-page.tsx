import type { Instant } from '../../../../shared/argentine-time.ts'
import { type Alert } from '../../../../shared/alerts/alert.ts'
import { valueWords, watchedWords } from '../../../../shared/alerts/alert-words.ts'
import { wantedOf } from '../../../../shared/alerts/watch.ts'
import type { Delivery, DeliveryPage } from '../../../../shared/db/deliveries/list.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { Layout } from '../../layout.tsx'
import type { Charts } from '../../pair/read-charts.ts'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import { DeliveryList } from '../webhooks/delivery-list.tsx'
import { TestResult } from '../webhooks/test-result.tsx'
import { Problem } from '../webhooks/webhooks-page.tsx'
import { AlertPicture } from './alert-picture.tsx'
import { alertStateWords, alertTitle, canActivate } from './alert-words.ts'
import { AlertTag, ClosedNote, receiverWords } from './alerts-page.tsx'

export interface AlertPageProps extends Frame {
  alert: Alert
  admitted: boolean
  charts: Charts
  now: Instant
  page: DeliveryPage
  /** The test that was just sent. */
  test?: Delivery | undefined
  notice?: string | undefined
  problem?: string | undefined
}

/** One alert: what it watches, how it is, what can be done with it, and its last deliveries. */
export function AlertPage(props: AlertPageProps) {
  const { email, alert, admitted, page, test, notice, problem } = props
  const path = `/cuenta/alertas/${alert.id}`

  return (
    <Layout title="Alerta" email={email} scripts={['test-result.js']}>
      <div class="page-head">
        <div>
          <h1>{alertTitle(alert)}</h1>
          <p class="muted breakable">{receiverWords(alert)}</p>
        </div>
      </div>
      <AccountNav here="/cuenta/alertas" />
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
          <AlertTag alert={alert} />
        </div>
        <p class="state-note">
          {alertStateWords(alert).text} {nowWords(alert)}
        </p>
        <AlertPicture {...props} />
        <Actions {...props} path={path} />
      </section>
      {alert.channel === 'webhook' && (
        <section class="card" aria-labelledby="entregas">
          <h2 id="entregas">Últimas entregas</h2>
          <DeliveryList deliveries={page.deliveries} automatic="Aviso" />
          {page.next !== null && (
            <p>
              <a href={`${path}?desde=${page.next}#entregas`}>Ver más viejas</a>
            </p>
          )}
        </section>
      )}
      <p class="back">
        <a href="/cuenta/alertas">Volver a las alertas</a>
      </p>
    </Layout>
  )
}

function nowWords(alert: Alert): string {
  if (!alert.now) return 'Todavía no tenemos esa cotización.'
  const watch = wantedOf(alert)
  return `Ahora ${watchedWords(watch)} está en ${valueWords(watch, priceToNumber(alert.now.value))}.`
}

function Actions({ token, alert, path }: AlertPageProps & { path: string }) {
  const { enabled, version } = alert
  const button = (step: string, label: string, primary = false) => (
    <form method="post" action={`${path}/${step}`}>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="version" value={String(version)} />
      <button type="submit" class={primary ? 'primary' : undefined}>
        {label}
      </button>
    </form>
  )

  return (
    <div class="actions">
      {enabled && button('pausar', 'Pausar')}
      {canActivate(alert) && button('activar', 'Activar', true)}
      {button('probar', 'Mandar una prueba')}
      <a class="button" href={`${path}/editar`}>
        Editar
      </a>
      {alert.channel === 'webhook' && (
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
