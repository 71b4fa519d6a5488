import type { Child } from 'hono/jsx'

/** A name and its value, in a list of facts; the page's script knows the value by its `cell`. */
export function Fact(props: { name: string; cell?: string; children?: Child }) {
  const { name, cell, children } = props
  return (
    <div data-fact={cell}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
