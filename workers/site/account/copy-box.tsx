export interface CopyBoxProps {
  id: string
  title: string
  text: string
  /** What the text is, for screen readers: "la clave". */
  what: string
}

/** A text to copy, below its title. Its button appears only where copy.js runs. */
export function CopyBox({ id, title, text, what }: CopyBoxProps) {
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
