import { Layout, Tabs } from '../layout.tsx'
import type { DocPage, Block } from './page.ts'
import type { Child } from 'hono/jsx'
import { Table } from '../board/elements.tsx'

/**
 * A page of the documentation, without a script. Wide blocks scroll in an element that the keyboard
 * can reach.
 */
export function GuidePage({ page }: { page: DocPage }) {
  const { path, title, summary, blocks } = page
  const twin = <link rel="alternate" type="text/markdown" href={`${path}.md`} />
  const taken = new Map<string, number>()

  return (
    <Layout title={title} description={summary} path={path} head={twin}>
      <DocsNav current={path} />
      <article class="docs">
        <h1>{title}</h1>
        <p class="lead">{summary}</p>
        {blocks.map((block) => blockHtml(block, taken))}
        <p class="muted">
          <a href={`${path}.md`}>Esta página en Markdown</a>
        </p>
      </article>
    </Layout>
  )
}

const LINKS = [
  ['/docs', 'Probar la API'],
  ['/docs/referencia', 'Referencia'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/planillas', 'Planillas'],
  ['/datos', 'Datos'],
  ['/mudarse', 'Mudarse'],
] as const

/** Links to the parts of the documentation. */
export function DocsNav({ current }: { current: string }) {
  return <Tabs label="Documentación" links={LINKS} here={current} />
}

/** `taken` counts the ids of the page: an operation in two documents would get one id twice. */
function blockHtml(block: Block, taken: Map<string, number>) {
  if (typeof block === 'string')
    return (
      <>
        {block.split('\n\n').map((paragraph) => (
          <p>{inline(paragraph)}</p>
        ))}
      </>
    )
  if ('heading' in block) {
    const id = freeId(idOf(block.heading), taken)
    return block.level === 2 ? <h2 id={id}>{block.heading}</h2> : <h3 id={id}>{block.heading}</h3>
  }
  if ('list' in block)
    return (
      <ul>
        {block.list.map((item) => (
          <li>{inline(item)}</li>
        ))}
      </ul>
    )
  if ('code' in block)
    return (
      <pre tabindex={0}>
        <code>{block.code}</code>
      </pre>
    )
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={`Tabla: ${block.columns.join(', ')}`}>
      <Table class="rows" head={block.columns}>
        {block.rows.map((row) => (
          <tr>
            {row.map((text) => (
              <td>{inline(text)}</td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  )
}

/** Parses `code`, **strong** and [links](…); the last two may be nested. JSX escapes the texts. */
function inline(text: string): Child[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
    if (part.startsWith('**')) return <strong>{inline(part.slice(2, -2))}</strong>

    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part)
    return link ? <a href={link[2]}>{inline(link[1]!)}</a> : part
  })
}

function freeId(id: string, taken: Map<string, number>): string {
  const count = (taken.get(id) ?? 0) + 1
  taken.set(id, count)
  return count === 1 ? id : `${id}-${count}`
}

function idOf(heading: string): string {
  return heading
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
}
