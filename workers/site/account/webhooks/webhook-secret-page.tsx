import { pairKey } from '../../../../shared/market/catalog.ts'
import type { Webhook } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { CopyBox } from '../copy-box.tsx'
import type { Frame } from '../frame.ts'

export interface WebhookSecretPageProps extends Frame {
  webhook: Webhook
  secret: string
  rotated?: boolean
}

/** The one page that shows a webhook's secret. */
export function WebhookSecretPage({ email, webhook, secret, rotated }: WebhookSecretPageProps) {
  const title = rotated ? 'Secreto rotado' : 'Webhook creado'

  return (
    <Layout title={title} email={email} scripts={['copy.js']}>
      <section class="card medium">
        <h1>{title}</h1>
        <p role="status">
          Este es el secreto del webhook de{' '}
          <strong>
            {webhook.pair.name} ({pairKey(webhook.pair)})
          </strong>
          . {rotated && 'El anterior ya no sirve. '}
          <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
        </p>
        <h2 class="label" id="secreto-titulo">
          Secreto
        </h2>
        <CopyBox id="secreto" labelledby="secreto-titulo" text={secret} what="el secreto" />
        <p class="muted">
          Con él tu servidor verifica el encabezado <code>X-Service-Signature</code> de cada envío.
          Se usa como texto, con sus 64 caracteres.
        </p>
        <p>
          <a class="button primary" href={`/cuenta/webhooks/${webhook.id}`}>
            Listo, lo guardé
          </a>
        </p>
      </section>
    </Layout>
  )
}

/** The same form sent again: the webhook is there, and its secret was shown before. */
export function AlreadyCreatedPage({ email, webhook }: Frame & { webhook: Webhook }) {
  return (
    <Layout title="Ese webhook ya está creado" email={email}>
      <section class="card narrow">
        <h1>Ese webhook ya está creado</h1>
        <p role="status">
          El formulario llegó otra vez y no creamos otro. El secreto se muestra una sola vez: si no
          lo guardaste, rotalo para tener uno nuevo.
        </p>
        <p>
          <a class="button primary" href={`/cuenta/webhooks/${webhook.id}`}>
            Ver el webhook
          </a>
        </p>
      </section>
    </Layout>
  )
}
