import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsOf } from '../../workers/site/reference/openapi.ts'
import { GUIDES } from '../../workers/site/reference/guides.ts'
import { DOCUMENTS } from '../../workers/site/reference/documents.ts'
import type { Service } from '../../tools/prove/harness/service.ts'
import { accessibilityProblems } from './support/axe.ts'
import { expectGoodLooks } from './support/looks.ts'
import { aTerms } from '../support/terms.ts'
import { closeDemo, openDemo } from './support/demo.ts'
import { DESKTOP, noBrowser, openPage } from './support/pages.ts'

if (noBrowser) console.warn(`the reference in the browser skipped: ${noBrowser}`)

describe.skipIf(noBrowser)('the documentation in a browser', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    ;[service, browser] = await openDemo(['--no-backfill'])
  })
  afterAll(() => closeDemo(service, browser))

  it('shows every operation with Scalar from our own origin, and tries one', async () => {
    const context = await browser.newContext({ viewport: DESKTOP, baseURL: service.url })
    const { page, complaints } = await openPage(context)
    const foreign: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(service.url) && /^https?:/.test(url)) foreign.push(url)
    })

    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Cotizaciones: lecturas' }).waitFor()
    for (const { operation } of operationsOf(DOCUMENTS[0]!.make(aTerms(service.url))))
      await page
        .getByText(operation.summary, { exact: true })
        .first()
        .waitFor({ state: 'attached' })
    await picture(page, 'docs')

    await page.goto('/docs#lecturas/tag/cotizaciones-actuales/GET/api/v2/{currency}/{origin}')
    await page.getByRole('button', { name: '(get /api/v2/{currency}/{origin})' }).click()
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v2/usd/blue'))
    await page.getByRole('button', { name: 'Enviar solicitud get' }).click()
    expect((await answered).status()).toBe(200)
    await page.getByRole('dialog').getByText('200 OK').first().waitFor()
    await picture(page, 'docs-probar')

    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('reads without JavaScript, on a phone, in the dark', async () => {
    const context = await browser.newContext({ baseURL: service.url })
    const { page, complaints } = await openPage(context)
    for (const { path } of GUIDES) {
      await page.goto(path)
      if (path === '/docs/referencia') expect(await accessibilityProblems(page)).toEqual([])
      else await expectGoodLooks(page, path.slice(1).replace('/', '-'))
    }
    expect(complaints).toEqual([])
    await context.close()

    const plain = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false })
    const page2 = await plain.newPage()
    await page2.goto('/docs')
    await page2.getByRole('link', { name: 'en una página simple' }).click()
    // Of the contract, and of the additions to it.
    const headings = page2.getByRole('heading', { name: 'GET /api/v2/quotes' })
    await headings.first().waitFor()
    const ids = await headings.evaluateAll((all) => all.map(({ id }) => id))
    expect(ids).toEqual(['get-api-v2-quotes', 'get-api-v2-quotes-2'])
    await plain.close()
  })
})

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
