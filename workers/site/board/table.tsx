import type { Child } from 'hono/jsx'

interface Props {
  head: readonly Child[]
  /** `plain` is of numbers, `rows` of words (quotes.css, site.css). */
  class: string
  children?: Child
}

export function Table({ head, class: looks, children }: Props) {
  return (
    <table class={looks}>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
