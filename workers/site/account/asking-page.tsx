import type { Child } from 'hono/jsx'
import { Layout } from '../layout.tsx'
import type { Frame } from './frame.ts'
import { Problem } from './problem.tsx'

export interface AskingPageProps extends Frame {
  title: string
  /** Where the form goes, and where "Cancelar" leads. */
  action: string
  back: string
  submit: string
  /** Whether what it does cannot be undone. */
  danger?: boolean
  /** Hidden fields: the version from which the form was made. */
  seen?: Readonly<Record<string, string>>
  /** Why the action was refused. */
  problem?: string | undefined
  isWide?: boolean
  scripts?: readonly string[]
  children?: Child
}

/** A page with one form, to confirm an action. */
export function AskingPage(props: AskingPageProps) {
  const { email, token, title, action, back, submit, danger, problem, children } = props
  return (
    <Layout title={title} email={email} scripts={props.scripts ?? []}>
      <section class={props.isWide ? 'card medium' : 'card narrow'}>
        <h1>{title}</h1>
        {problem && <Problem text={problem} alert id="problema" />}
        <form method="post" action={action}>
          <input type="hidden" name="token" value={token} />
          {Object.entries(props.seen ?? {}).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {children}
          <div class="actions">
            <button type="submit" class={danger ? 'danger filled' : 'primary'}>
              {submit}
            </button>
            <a class="button" href={back}>
              Cancelar
            </a>
          </div>
        </form>
      </section>
    </Layout>
  )
}
