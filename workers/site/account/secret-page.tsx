import type { Child } from 'hono/jsx'
import { Layout } from '../layout.tsx'

interface CopyBoxProps {
  id: string
  title: string
  text: string
  /** What the text is, for screen readers: "la clave". */
  what: string
}

/** A text to copy, below its title. Its button appears only where copy.js runs. */
function CopyBox({ id, title, text, what }: CopyBoxProps) {
  return (
    <>
      <h2 class="label" id={`${id}-titulo`}>
        {title}
      </h2>
      <div class="copy-box">
        <code id={id} tabindex={0} role="group" aria-labelledby={`${id}-titulo`}>
          {text}
        </code>
        <button type="button" data-copy={id} hidden>
          Copiar<span class="visually-hidden"> {what}</span>
        </button>
        <span class="copied" aria-live="polite" data-copied={id}></span>
      </div>
    </>
  )
}

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
