import type { IssuedKey } from '../../../shared/db/accounts/api-keys.ts'
import { Layout } from '../layout.tsx'
import type { Frame } from './frame.ts'
import { CopyBox } from './copy-box.tsx'

export interface SecretPageProps extends Frame {
  issued: IssuedKey
  origin: string
  rotated?: boolean
}

/** The one page that shows a key's secret. */
export function SecretPage({ email, issued, origin, rotated = false }: SecretPageProps) {
  const title = rotated ? 'Clave rotada' : 'Clave creada'
  const command = `curl -H 'Authorization: Bearer ${issued.key}' ${origin}/api/v2/auth/check`

  return (
    <Layout title={title} email={email} scripts={['copy.js']}>
      <section class="card medium">
        <h1>{title}</h1>
        <p role="status">
          Esta es la clave{' '}
          <strong>
            <bdi>{issued.record.name}</bdi>
          </strong>
          . {rotated && 'La anterior ya no sirve. '}
          <strong>Copiala ahora: no la vamos a mostrar otra vez.</strong>
        </p>
        <CopyBox id="secreto" title="Clave" text={issued.key} what="la clave" />
        <CopyBox id="curl" title="Para probarla" text={command} what="el comando" />
        <p>
          <a class="button primary" href="/cuenta">
            Listo, la guardé
          </a>
        </p>
      </section>
    </Layout>
  )
}
