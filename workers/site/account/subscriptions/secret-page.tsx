import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { Layout } from '../../layout.tsx'
import { CopyBox } from '../copy-box.tsx'
import { standardSecret } from '../../../../shared/webhooks/webhook.ts'
import type { Frame } from '../frame.ts'
import type { Area } from './area.ts'

export interface SecretPageProps extends Frame {
  area: Area
  subscription: StoredSubscription
  secret: string
  /** Whether the subscription existed before. */
  isRotated?: boolean
}

/** The one page that shows a secret. */
export function SecretPage(props: SecretPageProps) {
  const { email, area, subscription, secret, isRotated } = props
  const { words } = area
  const title = isRotated ? 'Secreto rotado' : words.created

  return (
    <Layout title={title} email={email} scripts={['copy.js']}>
      <section class="card medium">
        <h1>{title}</h1>
        <p role="status">
          Este es el secreto {words.of} <strong>{area.name(subscription)}</strong>.{' '}
          {isRotated && 'El anterior ya no sirve. '}
          <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
        </p>
        <CopyBox id="secreto" title="Secreto" text={secret} what="el secreto" />
        <p class="muted">
          Con él tu servidor verifica el encabezado <code>X-Service-Signature</code> de cada envío.
          Se usa como texto, con sus 64 caracteres.
        </p>
        <CopyBox
          id="estandar"
          title="El mismo, para Standard Webhooks"
          text={standardSecret(secret)}
          what="el de Standard Webhooks"
        />
        <p class="muted">
          Así lo toman <a href="/docs/webhooks">sus bibliotecas</a>, que verifican{' '}
          <code>webhook-signature</code>.
        </p>
        <p>
          <a class="button primary" href={`${area.path}/${subscription.id}`}>
            Listo, lo guardé
          </a>
        </p>
      </section>
    </Layout>
  )
}
