import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../tools/prove/harness/service.ts'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { expectGoodLooks } from './support/looks.ts'
import { closeDemo, openDemo } from './support/demo.ts'
import { noBrowser, openPage } from './support/pages.ts'

if (noBrowser) console.warn(`status page in the browser skipped: ${noBrowser}`)

describe.skipIf(noBrowser)('the status page in a browser', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    ;[service, browser] = await openDemo(['--no-backfill'])
    await service.cycle()
  })
  afterAll(() => closeDemo(service, browser))

  it.each([true, false])('stands, with JavaScript %s', async (javaScriptEnabled) => {
    const context = await browser.newContext({
      viewport: PHONE,
      baseURL: service.url,
      javaScriptEnabled,
    })
    const { page, complaints } = await openPage(context)

    await page.goto('/estado')
    await page.getByRole('heading', { name: 'Todo funciona' }).waitFor()
    await page.getByText('19 de 19 cotizaciones al día').waitFor()
    await page.getByText('Modo demo.').waitFor()
    for (const summary of ['Ver día por día', 'Ver todas']) await page.getByText(summary).click()
    await page.getByRole('rowheader', { name: 'ambito-blue' }).waitFor()
    if (javaScriptEnabled) await expectGoodLooks(page, 'estado')

    expect(complaints).toEqual([])
    await context.close()
  })
})
