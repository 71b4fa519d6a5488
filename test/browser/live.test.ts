import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { DAY_MS, startOfDay } from '../../shared/argentine-time.ts'
import { numberToPrice, percentChange } from '../../shared/market/price.ts'
import { numberText, percentText } from '../../shared/market/spanish-text.ts'
import { cell, cellOf, describeInBrowser, layoutShift } from './support/in-browser.ts'

const LIVE = 'En vivo: los cambios llegan solos.'

/** The pages that show the blue dollar, their own address, and their words for 9.999. */
const PAGES = [
  { path: '/', says: 'El blue se vende a $ 9.999,00' },
  { path: '/usd/blue', says: '$ 9.999,00' },
].map((page) => ({ ...page, asked: new RegExp(`^http:..[^/]+${page.path}$`) }))
const HOME = PAGES[0]!

const SELL = cellOf('usd/blue sell')

/** The page with another sell. */
const raised = (page: string) =>
  page
    .replace(/(data-pair="usd\/blue".*?data-cell="sell"[^>]*>)[^<]+/s, '$1$ 9.999,00')
    .replace(/(data-pair="usd\/blue"[^>]*data-sell=)"\d+"/, '$1"99990000"')

describeInBrowser('an open page', ['--every', '2'], {}, (demo) => {
  it('home shows each change in the cells that depend on it and in no others', async () => {
    const page = await demo.open()
    const asked = addressesOf(page)
    await page.goto('/')
    await page.getByText(LIVE).waitFor()
    await page.getByLabel('Monto').fill('1')
    await page.getByLabel('Cotización', { exact: true }).selectOption('usd/cripto')
    const link = page.getByRole('link', { name: 'Dólar Cripto' })
    await link.focus()

    const { sell } = await cellsOf(page, 'usd/cripto')
    await expect.poll(() => cellsOf(page, 'usd/cripto')).not.toMatchObject({ sell })
    const pesos = page.locator('[data-result=pesos]')
    await expect
      .poll(async () => [await pesos.textContent(), `$ ${await cell(page, 'usd/cripto sell')}`])
      .toSatisfy(([one, other]) => one === other)
    const bar = page.locator('[data-gap="usd/cripto"] .gap-value')
    await expect
      .poll(async () => [await bar.textContent(), (await cellsOf(page, 'usd/cripto'))['gap']])
      .toSatisfy(([one = '', other]) => one!.replaceAll('\u00a0', ' ') === other)
    await link.and(page.locator(':focus')).waitFor()
    const paths = asked.map(({ pathname }) => pathname)
    expect(paths).toContain('/api/v2/stream')
    expect(paths.filter((path) => path === '/')).toHaveLength(1)
    expect(await layoutShift(page)).toBeLessThan(0.01)
  })

  it('the page of a pair loads nothing for a short visit, then shows each change and what depends on it', async () => {
    const page = await demo.open()
    const asked = addressesOf(page)
    await page.goto('/usd/cripto', { waitUntil: 'networkidle' })
    expect(asked.filter(({ pathname }) => pathname.startsWith('/api/'))).toEqual([])

    await page.getByText(LIVE).waitFor()
    const { sell } = await cellsOf(page, 'usd/cripto')
    await expect.poll(() => cellsOf(page, 'usd/cripto')).not.toMatchObject({ sell })
    const after = await cellsOf(page, 'usd/cripto')
    expect(after['move']).toContain(percentOf(after['sell'], after['reference']))
    const [low = NaN, high = NaN] = after['range']!.split(' a ').map(numberOf)
    expect(low).toBeLessThanOrEqual(numberOf(after['sell']))
    expect(high).toBeGreaterThanOrEqual(numberOf(after['sell']))
    expect(numberOf(after['buy'])).toBeLessThanOrEqual(numberOf(after['sell']))
    expect(after['updated']).toBe('recién')
    // The official dollar moves too.
    const isGapAsTold = async () => {
      const { sell: official } = await (await page.request.get('/api/v2/usd/oficial')).json()
      const shown = await cellsOf(page, 'usd/cripto')
      return shown['gap'] === percentOf(shown['sell'], numberText(official, 4))
    }
    await expect.poll(isGapAsTold).toBe(true)

    const stream = asked.find(({ pathname }) => pathname === '/api/v2/stream')!
    expect(stream.searchParams.get('pairs')).toBe('usd/cripto,usd/oficial')
    expect(await layoutShift(page)).toBeLessThan(0.01)
  }, 90_000)

  it.each([
    ['no-preference', 'flash'],
    ['reduce', 'none'],
  ] as const)(
    'a value that changed glows, unless motion is unwelcome: %s, %s',
    async (motion, animation) => {
      const page = await demo.open({ reducedMotion: motion })
      await page.goto('/')
      const name = await page
        .locator('td.flash')
        .first()
        .evaluate(
          (element) => element.ownerDocument.defaultView!.getComputedStyle(element).animationName,
        )
      expect(name).toBe(animation)
    },
  )

  it.each(PAGES)(
    '$path asks each minute where the stream is refused, and says when nothing answers',
    async ({ path, asked, says }) => {
      const page = await demo.open({ expected: /ERR_FAILED|429/ })
      const value = page.locator(SELL)
      await page.clock.install()
      await page.route('**/api/v2/stream**', (route) => route.fulfill({ status: 429 }))
      await page.goto(path)
      await page.clock.runFor(6000)
      await page.getByText('Se actualiza cada minuto.').waitFor()

      await page.route(asked, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: raised(await response.text()) })
      })
      await page.clock.runFor(70_000)
      await page.getByText(says).first().waitFor()
      await expect.poll(() => value.textContent()).toContain('9.999,00')

      // When the service is out of reach, the values stay and their age grows.
      await page.unroute(asked)
      await page.route(asked, (route) => route.abort())
      await page.clock.runFor(5 * 60_000)
      await page.getByText('Sin conexión desde las').waitFor()
      expect(await value.textContent()).toContain('9.999,00')
      await expect.poll(() => cell(page, 'usd/blue age')).toMatch(/hace [56] min/)

      await page.unroute(asked)
      await page.unroute('**/api/v2/stream**')
      await page.clock.runFor(3 * 60_000)
      await page.getByText(LIVE).waitFor()
      await expect.poll(() => value.textContent()).not.toContain('9.999,00')
    },
  )
})

describeInBrowser('a page that is left open', ['--no-backfill'], {}, (demo) => {
  it.each(PAGES)(
    '$path shows a correction whose instant is earlier than that of the wrong value',
    async ({ path }) => {
      const page = await demo.open()
      await correctBlue(page)
      await page.goto(path)
      const value = () => page.locator(SELL).textContent()
      await expect.poll(value, { timeout: 15_000 }).toMatch(/^(\$\s)?1\.010,00$/)
      // The wrong value may be the highest of the shown range.
      expect(await cell(page, 'usd/blue range')).toBe('sin cambios')
    },
  )

  it('shows no range of yesterday after midnight, even without a connection', async () => {
    const page = await demo.open({ expected: /ERR_FAILED/ })
    const midnight = startOfDay(Date.now()) + DAY_MS
    await page.clock.install()
    await page.route('**/api/v2/stream**', (route) => route.abort())
    await page.route(HOME.asked, (route) => route.abort())
    const first = async (route: Route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replace(/data-now="\d+"/, `data-now="${midnight - 15_000}"`)
        .replace(/(data-pair="usd\/blue".*?data-cell="range"[^>]*>)[^<]+/s, '$11.000,00 a 2.000,00')
      await route.fulfill({ response, body })
    }
    await page.route(HOME.asked, first, { times: 1 })
    await page.goto('/')
    await page.clock.runFor(5000)
    expect(await cell(page, 'usd/blue range')).toBe('1.000,00 a 2.000,00')
    await page.clock.runFor(20_000)
    await expect.poll(() => cell(page, 'usd/blue range')).toBe('sin cambios')
  })
})

/** The addresses that a page requests from now on. */
function addressesOf(page: Page): URL[] {
  const asked: URL[] = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  return asked
}

/** All parts of a pair's quote at one instant: then they must agree. */
function cellsOf(page: Page, pair: string): Promise<Record<string, string>> {
  return page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('[data-pair="${pair}"] [data-cell]')].map((cell) => [
      cell.dataset.cell,
      cell.textContent.replaceAll('\\u00a0', ' '),
    ]),
  )`)
}

function numberOf(text = ''): number {
  return Number(text.replace(/[^\d,]/g, '').replace(',', '.'))
}

function percentOf(text: string | undefined, base: string | undefined): string {
  const [price, from] = [text, base].map((value) => numberToPrice(numberOf(value)))
  return percentText(percentChange(price!, from!)).replace('\u00a0', ' ')
}

/** Makes the stream send one event: a blue dollar an hour older than the shown one. */
async function correctBlue(page: Page): Promise<void> {
  const told = await (await page.request.get('/api/v2/usd/blue')).json()
  const updatedAt = new Date(Date.parse(told.updatedAt) - 3_600_000).toISOString()
  // The page may have a later board than the API's answer.
  const lastScrapedAt = new Date().toISOString()
  const quote = { ...told, buy: 990, sell: 1010, change: null, updatedAt, lastScrapedAt }
  await page.route('**/api/v2/stream**', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: quote\ndata: ${JSON.stringify(quote)}\n\n`,
    }),
  )
}
