import type { Child } from 'hono/jsx'
import { Layout } from '../layout.tsx'
import { CopyBox, type CopyBoxProps } from './copy-box.tsx'

interface SecretPageProps {
  email: string
  title: string
  /** Whose secret it is, and that it is shown once. */
  lead: Child
  boxes: readonly (CopyBoxProps & { hint?: Child })[]
  /** Where its button leads, and what that says. */
  back: string
  done: string
}

/** The one page that shows a secret. */
export function SecretPage({ email, title, lead, boxes, back, done }: SecretPageProps) {
  return (
    <Layout title={title} email={email} scripts={['copy.js']}>
      <section class="card medium">
        <h1>{title}</h1>
        <p role="status">{lead}</p>
        {boxes.map(({ hint, ...box }) => (
          <>
            <CopyBox {...box} />
            {hint && <p class="muted">{hint}</p>}
          </>
        ))}
        <p>
          <a class="button primary" href={back}>
            {done}
          </a>
        </p>
      </section>
    </Layout>
  )
}
