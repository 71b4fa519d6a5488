import { expect, it } from 'vitest'
import { operationsOf } from '../../workers/site/reference/openapi.ts'
import { GUIDES } from '../../workers/site/reference/docs-routes.tsx'
import { DOCUMENTS } from '../../workers/site/reference/documents.ts'
import { accessibilityProblems, expectGoodLooks } from './support/looks.ts'
import { aDeployment } from '../support/deployment.ts'
import { describeInBrowser, layoutShift } from './support/in-browser.ts'

describeInBrowser('the documentation', ['--no-backfill'], {}, (demo) => {
  it('shows every operation with Scalar from our own origin, and tries one', async () => {
    const page = await demo.open()
    const foreign: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(demo.service.url) && /^https?:/.test(url)) foreign.push(url)
    })

    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Cotizaciones: lecturas' }).waitFor()
    for (const { operation } of operationsOf(DOCUMENTS[0]!.make(aDeployment(demo.service.url))))
      await page
        .getByText(operation.summary, { exact: true })
        .first()
        .waitFor({ state: 'attached' })
    expect(await layoutShift(page)).toBeLessThan(0.01)

    await page.goto('/docs#lecturas/tag/cotizaciones-actuales/GET/api/v2/{currency}/{origin}')
    await page.getByRole('button', { name: '(get /api/v2/{currency}/{origin})' }).click()
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v2/usd/blue'))
    await page.getByRole('button', { name: 'Enviar solicitud get' }).click()
    expect((await answered).status()).toBe(200)
    await page.getByRole('dialog').getByText('200 OK').first().waitFor()

    expect(foreign).toEqual([])
  })

  it('reads without JavaScript, on a phone, in the dark', async () => {
    const page = await demo.open()
    for (const { path } of GUIDES) {
      await page.goto(path)
      if (path === '/docs/referencia') expect(await accessibilityProblems(page)).toEqual([])
      else await expectGoodLooks(page, path.slice(1).replace('/', '-'))
    }

    const plain = await demo.open({ javaScriptEnabled: false })
    await plain.goto('/docs')
    await plain.getByRole('link', { name: 'en una página simple' }).click()
    // The operations of the contract and of the additions.
    const headings = plain.getByRole('heading', { name: 'GET /api/v2/quotes' })
    await headings.first().waitFor()
    const ids = await headings.evaluateAll((all) => all.map(({ id }) => id))
    expect(ids).toEqual(['get-api-v2-quotes', 'get-api-v2-quotes-2'])
  })
})
