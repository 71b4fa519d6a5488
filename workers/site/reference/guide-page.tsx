import { Layout, Tabs } from '../layout.tsx'
import { Blocks } from './blocks.tsx'
import type { DocPage } from './page.ts'

/** A page of the documentation; it needs no script. */
export function GuidePage({ page }: { page: DocPage }) {
  const { path, title, summary, blocks } = page
  const twin = <link rel="alternate" type="text/markdown" href={`${path}.md`} />

  return (
    <Layout title={title} description={summary} path={path} head={twin}>
      <DocsNav current={path} />
      <article class="docs">
        <h1>{title}</h1>
        <p class="lead">{summary}</p>
        <Blocks blocks={blocks} />
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
  ['/docs/cambios', 'Cambios'],
] as const

/** The ways through the documentation. */
export function DocsNav({ current }: { current: string }) {
  return <Tabs label="Documentación" links={LINKS} here={current} />
}
