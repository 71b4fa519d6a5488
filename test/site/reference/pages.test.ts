import { expect, it } from 'vitest'
import { GUIDES } from '../../../workers/site/reference/docs-routes.tsx'
import { operations } from '../../support/openapi.ts'
import { aBoardQuote, seedBoard } from '../../support/board.ts'
import { openSite, ORIGIN } from '../../support/site.ts'

/** With every optional feature on, compatibility addresses included. */
const read = async (path: string) =>
  (await openSite({ env: { COMPATIBILITY: 'on' } }).fetch(path)).text()

it.each(GUIDES)(
  '$path needs no script, and has a Markdown twin with the same headings',
  async ({ path }) => {
    const response = await openSite().fetch(path)
    const page = await response.text()
    const twin = await openSite().fetch(`${path}.md`)
    const markdown = await twin.text()

    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Security-Policy')).toContain("style-src 'self';")
    expect(page).not.toContain('<script')
    expect(twin.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8')
    const shown = page.match(/<h[23] /g)?.length
    expect(markdown.replaceAll(/```.*?```/gs, '').match(/^##+ /gm)?.length).toBe(shown)
  },
)

it.each(['/datos', ...GUIDES.map(({ path }) => path)])('%s shows code as code', async (path) => {
  const outside = (await read(path)).replaceAll(/<(pre|code)[ >].*?<\/\1>/gs, '')
  expect(outside).not.toContain('`')
  expect(outside).not.toContain('**')
})

it('lists every operation in the reference, its Markdown and the index for language models', async () => {
  const texts = await Promise.all(
    ['/docs/referencia', '/docs/referencia.md', '/docs.md', '/llms-full.txt', '/llms.txt'].map(
      read,
    ),
  )
  for (const { method, path } of operations)
    for (const text of texts) expect(text).toContain(`${method} ${path}`)
})

it('links from the index for language models only to what exists', async () => {
  const links = [...(await read('/llms.txt')).matchAll(/\]\((\S+)\)/g)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(5)
  for (const link of links) {
    expect(link.startsWith(ORIGIN)).toBe(true)
    expect((await openSite().fetch(link.slice(ORIGIN.length))).status, link).toBe(200)
  }
})

it('allows inline styles on /docs, but no scripts of other origins', async () => {
  const policy = (await openSite().fetch('/docs')).headers.get('Content-Security-Policy')
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self' 'unsafe-inline';")
})

it('explains which contract the futures dollar is and when it rolls', async () => {
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/FUTURO')] })
  for (const path of ['/docs/referencia', '/llms.txt', '/usd/futuro'])
    expect(await read(path), path).toMatch(/el contrato que vence primero.*El día hábil siguiente/)
})

it.each([
  ['/openapi/quotes.json', '2.1.0'],
  ['/openapi/webhooks.json', '2.4.0'],
  ['/openapi/extras.json', '1.0.0'],
  ['/openapi/all.json', '1.0.0'],
])('%s is served to every origin, for an hour', async (path, version) => {
  const response = await openSite().fetch(path)

  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600')
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    info: { version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: ORIGIN }],
  })
})

it('states the limits of this deployment, in documents and pages', async () => {
  const configured = {
    DATE_READ_LIMIT: '1500',
    DAILY_PRIVATE_BUDGET: '1234567',
    DELIVERY_WAITS: '1,60,7200',
  }
  const site = openSite({ env: configured })
  const [quotes, webhooks, extensions, reference, guide, sheets, all] = await Promise.all(
    [
      '/openapi/quotes.json',
      '/openapi/webhooks.json',
      '/openapi/extras.json',
      '/docs/referencia',
      '/docs/webhooks',
      '/docs/planillas',
      '/llms-full.txt',
    ].map(async (path) => (await site.fetch(path)).text()),
  )

  for (const text of [quotes, extensions, reference, all])
    expect(text).toContain('1.500 pedidos cada 10')
  for (const text of [quotes, webhooks, extensions, all])
    expect(text).toContain('1.234.567 pedidos privados')
  for (const text of [webhooks, guide, all])
    expect(text).toContain('4 intentos por envío, con esperas de 1 segundo, 1 minuto y 2 horas')
  for (const text of [sheets, all]) expect(text).toContain('1.500 consultas por fecha')
  for (const text of [quotes, webhooks, extensions, reference, guide, sheets, all])
    expect(text).not.toMatch(/20\.000|\b20 (?:pedidos|consultas)|30 minutos/)
})
