import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import type { Deployment } from '../../../shared/api/operation.ts'
import { setting } from '../../../shared/config/config.ts'
import { PAIR_NOTES } from '../../../shared/market/catalog.ts'
import type { SiteContext } from '../context.ts'
import { DOCUMENTS, JOINED } from './documents.ts'
import { DocsNav, GuidePage } from './guide-page.tsx'
import { operationsOf } from './openapi.ts'
import { toMarkdown, type DocPage } from './page.ts'
import { Layout } from '../layout.tsx'
import { movingGuide } from './guides/moving.ts'
import { spreadsheetsGuide } from './guides/spreadsheets.ts'
import { webhooksGuide } from './guides/webhooks.ts'
import { referencePage } from './reference-page.ts'

const CACHE = 'public, max-age=600'
const MARKDOWN = { 'Cache-Control': CACHE, 'Content-Type': 'text/markdown; charset=utf-8' }
/** Programs of any origin may read the documents. Only a deployment changes them. */
const DOCUMENT = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }
const PLAIN = { 'Cache-Control': CACHE, 'Content-Type': 'text/plain; charset=utf-8' }

/** The documentation: OpenAPI documents, the interactive reference, and pages, also as Markdown. */
export function docsRoutes() {
  const kept = keepResponses()
  const app = new Hono<SiteContext>()
    .get('/docs', kept, (c) => {
      c.header('Cache-Control', CACHE)
      return c.render(<ScalarPage />)
    })
    .get('/docs.md', kept, (c) => c.body(fullText(deploymentOf(c)), 200, MARKDOWN))
    .get('/llms-full.txt', kept, (c) => c.body(fullText(deploymentOf(c)), 200, PLAIN))
    .get('/llms.txt', kept, (c) => c.body(llmsText(deploymentOf(c)), 200, PLAIN))

  for (const { path, make } of [...DOCUMENTS, JOINED])
    app.get(path, kept, (c) => Response.json(make(deploymentOf(c)), { headers: DOCUMENT }))
  for (const { path, make } of GUIDES) {
    app.get(path, kept, (c) => {
      c.header('Cache-Control', CACHE)
      return c.render(<GuidePage page={make(deploymentOf(c))} />)
    })
    app.get(`${path}.md`, kept, (c) => c.body(toMarkdown(make(deploymentOf(c))), 200, MARKDOWN))
  }
  return app
}

/** The settings of this deployment that the documentation mentions. */
function deploymentOf({ env, var: { origin } }: Context<SiteContext>): Deployment {
  return {
    origin,
    dateReads: setting(env, 'DATE_READ_LIMIT'),
    unknownKeys: setting(env, 'UNKNOWN_KEY_LIMIT'),
    dailyBudget: setting(env, 'DAILY_PRIVATE_BUDGET'),
    waits: setting(env, 'DELIVERY_WAITS'),
    compatibility: setting(env, 'COMPATIBILITY') === 'on',
  }
}

/**
 * Keeps responses that only a deployment changes, because making one takes up to 100 ms of CPU.
 * Answers 304 to a reader who has the same response.
 */
function keepResponses(): MiddlewareHandler<SiteContext> {
  const kept = new Map<string, { body: ArrayBuffer; headers: Headers }>()
  const conditional = etag()

  return (c, next) =>
    conditional(c, async () => {
      const key = c.req.path + JSON.stringify(deploymentOf(c))
      if (!kept.has(key)) {
        await next()
        kept.set(key, { body: await c.res.arrayBuffer(), headers: c.res.headers })
      }
      const { body, headers } = kept.get(key)!
      c.res = new Response(body, { headers })
    })
}

/** The documents in the form that Scalar reads; `OpenAPI de lecturas` gets the slug `lecturas`. */
const SHOWN = DOCUMENTS.map(({ path, name }, index) => {
  const slug = name.split(' ').at(-1)!
  return { title: slug[0]!.toUpperCase() + slug.slice(1), slug, url: path, default: index === 0 }
})

/** The interactive reference, the only page that loads Scalar. */
function ScalarPage() {
  return (
    <Layout
      title="Documentación de la API"
      description="La referencia de la API de cotizaciones, para leer y probar."
      path="/docs"
      script="docs"
      head={<link rel="alternate" type="text/markdown" href="/docs.md" />}
    >
      <DocsNav current="/docs" />
      <h1 class="visually-hidden">Documentación de la API</h1>
      <div id="referencia" class="reference" data-documents={JSON.stringify(SHOWN)}>
        <p class="notice">
          Cargando la referencia. También se puede leer{' '}
          <a href="/docs/referencia">en una página simple</a>, sin JavaScript.
        </p>
      </div>
    </Layout>
  )
}

/** The index for language models (llmstxt.org). */
function llmsText(deployment: Deployment): string {
  const { origin } = deployment
  const operations = DOCUMENTS.flatMap(({ make }) => operationsOf(make(deployment)))
  const pages = GUIDES.map(({ make }) => make(deployment))

  return `# Cotizaciones

> Los tipos de cambio del mercado argentino, ahora, a cualquier fecha pasada y por webhooks firmados. Leer es público y no necesita clave; el historial y los webhooks, sí.

Los precios son pesos argentinos por unidad. Por ejemplo, \`GET ${origin}/api/v2/usd/blue\` es el dólar blue. ${Object.values(PAIR_NOTES).join(' ')}

## Documentos

- [Todo en un archivo](${origin}/llms-full.txt)
${[...DOCUMENTS, JOINED].map(({ path, name }) => `- [${name}](${origin}${path})`).join('\n')}
${pages.map(({ path, title, summary }) => `- [${title}](${origin}${path}.md): ${summary}`).join('\n')}

## Rutas

${operations.map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`).join('\n')}
`
}

/** All the documentation in one Markdown text. */
function fullText(deployment: Deployment): string {
  return GUIDES.map(({ make }) => toMarkdown(make(deployment))).join('\n')
}

/** The pages of the documentation that need no JavaScript, made on request. */
export const GUIDES: readonly { path: string; make: (deployment: Deployment) => DocPage }[] = [
  {
    path: '/docs/referencia',
    make: (deployment) => referencePage(DOCUMENTS.map((document) => document.make(deployment))),
  },
  { path: '/docs/webhooks', make: webhooksGuide },
  { path: '/docs/planillas', make: spreadsheetsGuide },
  { path: '/mudarse', make: movingGuide },
]
