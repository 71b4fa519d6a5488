import { it } from 'vitest'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { expectGoodLooks } from './support/looks.ts'

describeInBrowser('the status page', ['--no-backfill'], {}, (demo) => {
  it.each([true, false])('stands, with JavaScript %s', async (javaScriptEnabled) => {
    await demo.service.cycle()
    const page = await demo.open({ viewport: PHONE, javaScriptEnabled })

    await page.goto('/estado')
    await page.getByRole('heading', { name: 'Todo funciona' }).waitFor()
    await page.getByText('19 de 19 cotizaciones al día').waitFor()
    await page.getByText('Modo demo.').waitFor()
    for (const summary of ['Ver día por día', 'Ver todas']) await page.getByText(summary).click()
    await page.getByRole('rowheader', { name: 'ambito-blue' }).waitFor()
    if (javaScriptEnabled) await expectGoodLooks(page, 'estado')
  })
})
