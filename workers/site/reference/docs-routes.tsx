import { Hono } from 'hono'
import type { SiteContext } from '../context.ts'
import { kept, OF_BUILD } from '../kept.ts'
import { GuidePage } from './guide-page.tsx'
import { GUIDES } from './guides.ts'
import { termsOf } from './limits.ts'
import { fullText, llmsText } from './llms.ts'
import { toMarkdown } from './to-markdown.ts'
import { Layout } from '../layout.tsx'
import { DocsNav } from './docs-nav.tsx'

const CACHE = { 'Cache-Control': 'public, max-age=600' }
const MARKDOWN = { ...CACHE, 'Content-Type': 'text/markdown; charset=utf-8' }
const PLAIN = { ...CACHE, 'Content-Type': 'text/plain; charset=utf-8' }

/** The documentation: the reference to try, pages to read, and both as Markdown. */
export function docsRoutes() {
  const ofBuild = kept(OF_BUILD)
  const app = new Hono<SiteContext>()
    .get('/docs', ofBuild, (c) => c.html(<ScalarPage origin={c.var.origin} />, 200, CACHE))
    .get('/docs.md', ofBuild, (c) => c.body(fullText(termsOf(c)), 200, MARKDOWN))
    .get('/llms-full.txt', ofBuild, (c) => c.body(fullText(termsOf(c)), 200, PLAIN))
    .get('/llms.txt', ofBuild, (c) => c.body(llmsText(termsOf(c)), 200, PLAIN))

  for (const { path, make } of GUIDES) {
    app.get(path, ofBuild, (c) =>
      c.html(<GuidePage page={make(termsOf(c))} origin={c.var.origin} />, 200, CACHE),
    )
    app.get(`${path}.md`, ofBuild, (c) => c.body(toMarkdown(make(termsOf(c))), 200, MARKDOWN))
  }
  return app
}

/** The reference with its try-it; Scalar is loaded here and nowhere else. */
export function ScalarPage({ origin }: { origin: string }) {
  return (
    <Layout
      title="Documentación de la API"
      description="La referencia de la API de cotizaciones, para leer y probar."
      canonical={`${origin}/docs`}
      base="docs-frame.css"
      styles={['docs.css']}
      scripts={['docs.js']}
      head={<link rel="alternate" type="text/markdown" href="/docs.md" />}
    >
      <DocsNav current="/docs" />
      <h1 class="visually-hidden">Documentación de la API</h1>
      <div id="referencia" class="reference">
        <p class="notice" data-loading>
          Cargando la referencia. También se puede leer{' '}
          <a href="/docs/referencia">en una página simple</a>, sin JavaScript.
        </p>
      </div>
    </Layout>
  )
}
