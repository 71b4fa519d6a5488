export interface ProblemProps {
  text: string
  alert: boolean
  id?: string | undefined
}

/** A sentence in a box. Screen readers announce it at once when it answers a submitted form. */
export function Problem({ text, alert, id }: ProblemProps) {
  return (
    <p id={id} class={alert ? 'notice bad' : 'notice'} role={alert ? 'alert' : undefined}>
      {text}.
    </p>
  )
}
