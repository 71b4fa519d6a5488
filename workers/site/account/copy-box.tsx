export interface CopyBoxProps {
  id: string
  labelledby: string
  text: string
  /** What screen readers say: "la clave". */
  what: string
}

/** A text to copy. Its button appears only where copy.js runs. */
export function CopyBox({ id, labelledby, text, what }: CopyBoxProps) {
  return (
    <div class="copy-box">
      <code id={id} tabindex={0} role="group" aria-labelledby={labelledby}>
        {text}
      </code>
      <button type="button" data-copy={id} hidden>
        Copiar<span class="visually-hidden"> {what}</span>
      </button>
      <span class="copied" aria-live="polite" data-copied={id}></span>
    </div>
  )
}
