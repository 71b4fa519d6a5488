import type { Alert } from '../../../../shared/alerts/alert.ts'
import { Layout } from '../../layout.tsx'
import { CopyBox } from '../copy-box.tsx'
import type { Frame } from '../frame.ts'
import { alertTitle } from './alert-words.ts'

export interface AlertSecretPageProps extends Frame {
  alert: Alert
  secret: string
  rotated?: boolean
}

/** The one page that shows the secret of an alert by webhook. */
export function AlertSecretPage({ email, alert, secret, rotated }: AlertSecretPageProps) {
  const title = rotated ? 'Secreto rotado' : 'Alerta creada'

  return (
    <Layout title={title} email={email} scripts={['copy.js']}>
      <section class="card medium">
        <h1>{title}</h1>
        <p role="status">
          Este es el secreto de la alerta «{alertTitle(alert)}».{' '}
          {rotated && 'El anterior ya no sirve. '}
          <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
        </p>
        <h2 class="label" id="secreto-titulo">
          Secreto
        </h2>
        <CopyBox id="secreto" labelledby="secreto-titulo" text={secret} what="el secreto" />
        <p class="muted">
          Con él tu servidor verifica el encabezado <code>X-Service-Signature</code> de cada envío.
        </p>
        <p>
          <a class="button primary" href={`/cuenta/alertas/${alert.id}`}>
            Listo, lo guardé
          </a>
        </p>
      </section>
    </Layout>
  )
}
