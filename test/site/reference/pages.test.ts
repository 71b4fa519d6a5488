import { describe, expect, it } from 'vitest'
import { GUIDES } from '../../../workers/site/reference/docs-routes.tsx'
import { operations } from '../../support/openapi.ts'
import { aBoardQuote, seedBoard } from '../../support/board.ts'
import { openSite, ORIGIN } from '../../support/site.ts'

/** With every optional feature on, compatibility addresses included. */
const read = async (path: string) =>
  (await openSite({ env: { COMPATIBILITY: 'on' } }).fetch(path)).text()

describe.each(GUIDES.map(({ path }) => path))('%s', (path) => {
  it('is a page that needs no script, and has a Markdown twin with the same headings', async () => {
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
  })
})

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

it('allows inline styles on /docs alone, and scripts of other origins nowhere', async () => {
  const policy = (await openSite().fetch('/docs')).headers.get('Content-Security-Policy')
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self' 'unsafe-inline';")
})

it('tells which contract the futures dollar is and when it rolls', async () => {
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/FUTURO')] })
  for (const path of ['/docs/referencia', '/llms.txt', '/usd/futuro'])
    expect(await read(path), path).toMatch(/el contrato que vence primero.*El día hábil siguiente/)
})
