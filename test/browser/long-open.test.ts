import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { DAY_MS, startOfDay } from '../../shared/argentine-time.ts'
import { cell, describeInBrowser } from './support/in-browser.ts'

describeInBrowser('a page that is left open', ['--no-backfill'], {}, (demo) => {
  it.each([
    ['/', '[data-cell="usd/blue sell"]', '[data-cell="usd/blue range"]'],
    ['/usd/blue', '[data-cell="sell"]', '[data-fact="range"] dd'],
  ])(
    '%s takes a corrected value, of an earlier instant than the wrong one',
    async (path, sell, range) => {
      const page = await demo.open()
      await correctBlue(page)
      await page.goto(path)
      await expect
        .poll(() => page.locator(sell).textContent(), { timeout: 15_000 })
        .toMatch(/^(\$\s)?1\.010,00$/)
      // The wrong value may be the highest of what stood there.
      expect(await page.locator(range).textContent()).toBe('sin cambios')
    },
  )

  it('over midnight shows no range of yesterday as today’s, also out of reach', async () => {
    const page = await demo.open({ expected: /ERR_FAILED/ })
    const midnight = startOfDay(Date.now()) + DAY_MS
    await page.clock.install()
    await page.route('**/api/v2/stream*', (route) => route.abort())
    const board = `${demo.service.url}/`
    await page.route(board, (route) => route.abort())
    const first = async (route: Route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replace(/data-now="\d+"/, `data-now="${midnight - 15_000}"`)
        .replace(/(data-cell="usd\/blue range"[^>]*>)[^<]+/, '$11.000,00 a 2.000,00')
      await route.fulfill({ response, body })
    }
    await page.route(board, first, { times: 1 })
    await page.goto('/')
    await page.clock.runFor(5000)
    expect(await cell(page, 'usd/blue range')).toBe('1.000,00 a 2.000,00')
    await page.clock.runFor(20_000)
    await expect.poll(() => cell(page, 'usd/blue range')).toBe('sin cambios')
  })
})

/** The stream tells one event: the blue of an hour before what stands there. */
async function correctBlue(page: Page): Promise<void> {
  const told = await (await page.request.get('/api/v2/usd/blue')).json()
  const updatedAt = new Date(Date.parse(told.updatedAt) - 3_600_000).toISOString()
  // The page may come from a later board than the API's answer.
  const lastScrapedAt = new Date().toISOString()
  const quote = { ...told, buy: 990, sell: 1010, change: null, updatedAt, lastScrapedAt }
  await page.route('**/api/v2/stream*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: quote\ndata: ${JSON.stringify(quote)}\n\n`,
    }),
  )
}
