export interface FormActionsProps {
  submit: string
  /** Whether what it does cannot be undone. */
  danger?: boolean
  /** Where "Cancelar" leads. */
  back: string
}

/** The buttons below a form that asks before it acts. */
export function FormActions({ submit, danger = false, back }: FormActionsProps) {
  return (
    <div class="actions">
      <button type="submit" class={danger ? 'danger filled' : 'primary'}>
        {submit}
      </button>
      <a class="button" href={back}>
        Cancelar
      </a>
    </div>
  )
}
