import type { Child } from 'hono/jsx'

interface Props {
  head: readonly string[]
  /** The column that only wide pages show. */
  wideOnly?: string
  children?: Child
}

export function Table({ head, wideOnly, children }: Props) {
  return (
    <table class="facts">
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" class={name === wideOnly ? 'wide-only' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
