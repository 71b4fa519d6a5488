import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { percentAbove, percentText } from '../../workers/site/public/static/quote-text.js'
import { describeInBrowser, layoutShift } from './support/in-browser.ts'

const LIVE = 'En vivo: los cambios llegan solos.'

describeInBrowser('the value of a pair’s page while one looks', ['--every', '2'], {}, (demo) => {
  it('costs a glance nothing, then takes each change with all that follows from it', async () => {
    const page = await demo.open()
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    await page.goto('/usd/cripto', { waitUntil: 'networkidle' })
    const atFirst = asked.map(({ pathname }) => pathname)
    expect(atFirst).toContain('/static/headline.js')
    expect(atFirst).not.toContain('/static/cotizaciones.js')

    await page.getByText(LIVE).waitFor({ timeout: 15_000 })
    const before = await shown(page)
    await expect
      .poll(() => shown(page), { timeout: 40_000 })
      .not.toMatchObject({
        sell: before.sell,
      })
    // At one instant: everything says the same.
    const after = await shown(page)
    expect(after.low).toBeLessThanOrEqual(after.sell)
    expect(after.high).toBeGreaterThanOrEqual(after.sell)
    expect(after.buy).toBeLessThanOrEqual(after.sell)
    expect(after.reference).toBeGreaterThan(0)
    expect(after.move).toBe(percent(after.sell, after.reference))
    expect(await page.locator('[data-cell="updated"]').textContent()).toBe('recién')
    // The official dollar moves too.
    await expect.poll(() => gapAsTold(page)).toBe(true)

    const stream = asked.find(({ pathname }) => pathname === '/api/v2/stream')!
    expect(stream.searchParams.get('pairs')).toBe('usd/cripto,usd/oficial')
    expect(await layoutShift(page)).toBeLessThan(0.01)
  }, 90_000)

  it('asks each minute where the stream is refused, and says when nothing answers', async () => {
    const page = await demo.open({ expected: /ERR_FAILED|429/ })
    await page.clock.install()
    await page.route('**/api/v2/stream*', (route) => route.fulfill({ status: 429 }))
    await page.route('**/api/v2/usd/blue', async (route) => {
      const response = await route.fetch()
      const quote = { ...(await response.json()), sell: 9999 }
      await route.fulfill({ response, json: { ...quote, updatedAt: '2099-01-01T00:00:00.000Z' } })
    })
    await page.goto('/usd/blue')
    await page.clock.runFor(6000)
    await page.getByText('Se actualiza cada minuto.').waitFor()
    await expect.poll(async () => (await shown(page)).sell).toBe(9999)

    // Out of reach, what stands there stays and grows old before one's eyes.
    await page.unroute('**/api/v2/usd/blue')
    await page.route('**/api/v2/usd/**', (route) => route.abort())
    await page.clock.runFor(5 * 60_000)
    await page.getByText('Sin conexión desde las').waitFor()
    expect((await shown(page)).sell).toBe(9999)
    await expect
      .poll(() => page.locator('[data-fact="confirmed"] time').textContent())
      .toMatch(/hace [56] min/)
  })
})

/** The numbers of the page at one instant; the range from its lowest to its highest. */
function shown(page: Page) {
  return page.evaluate<
    Record<'sell' | 'buy' | 'reference' | 'low' | 'high', number> & { move: string; gap: string }
  >(`(() => {
    const text = (name) => document
      .querySelector('[data-cell="' + name + '"], [data-fact="' + name + '"] dd').textContent
    const number = (text) => Number(text.replace(/[^\\d,]/g, '').replace(',', '.'))
    const [low, high = low] = text('range').split(' a ').map(number)
    const sell = number(text('sell'))
    return {
      sell,
      buy: number(text('buy')),
      reference: number(text('reference')),
      low: low || sell,
      high: high || sell,
      move: text('move').replace(/^.*?(?=[+−\\d])/, ''),
      gap: document.querySelector('[data-fact="gap"] dd')?.textContent ?? '',
    }
  })()`)
}

function percent(price: number, base: number): string {
  return percentText(percentAbove(Math.round(price * 10_000), Math.round(base * 10_000)))
}

async function gapAsTold(page: Page): Promise<boolean> {
  const response = await page.request.get('/api/v2/usd/oficial')
  const { sell: official } = (await response.json()) as { sell: number }
  const { sell, gap } = await shown(page)
  return gap === percent(sell, official)
}
