import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { cell, describeInBrowser, layoutShift } from './support/in-browser.ts'

const live = (page: Page) => page.locator('[data-live]')

describeInBrowser('the board while one looks', ['--no-backfill', '--every', '2'], {}, (demo) => {
  it('takes each change from the stream, into the cells that follow from it and those alone', async () => {
    const page = await demo.open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await page.getByText('En vivo: los cambios llegan solos.').waitFor()
    await page.getByLabel('Monto').fill('1')
    await page.getByLabel('Cotización', { exact: true }).selectOption('usd/cripto')
    const link = page.getByRole('link', { name: 'Dólar Cripto' })
    await link.focus()
    await page.evaluate(`document.querySelector('[data-pair="usd/cripto"]').dataset.mine = 'same'`)

    const before = await cell(page, 'usd/cripto sell')
    await expect.poll(() => cell(page, 'usd/cripto sell'), { timeout: 20_000 }).not.toBe(before)
    // At one instant: everything says the same.
    const [sell, pesos, gap, bar, mine] = await page.evaluate<string[]>(`(() => {
      const text = (selector) => document.querySelector(selector).textContent.replaceAll('\\u00a0', ' ')
      return [
        text('[data-cell="usd/cripto sell"]'),
        text('[data-result=pesos]'),
        text('[data-cell="usd/cripto gap"]'),
        text('[data-gap="usd/cripto"] .gap-value'),
        document.querySelector('[data-pair="usd/cripto"]').dataset.mine,
      ]
    })()`)
    expect([pesos, bar, mine]).toEqual([`$ ${sell}`, gap, 'same'])
    expect(await link.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    )
    expect(asked).toContain('/api/v2/stream')
    expect(asked.filter((path) => path === '/')).toHaveLength(1)
    expect(await layoutShift(page)).toBeLessThan(0.01)
  })

  it('glows where a value changed, and not where motion is unwelcome', async () => {
    for (const [reducedMotion, animation] of [
      ['no-preference', 'flash'],
      ['reduce', 'none'],
    ] as const) {
      const page = await demo.open({ reducedMotion })
      await page.goto('/')
      const glowing = page.locator('td.flash').first()
      await glowing.waitFor({ timeout: 20_000 })
      const name = await glowing.evaluate(
        (element) => element.ownerDocument.defaultView!.getComputedStyle(element).animationName,
      )
      expect(name).toBe(animation)
    }
  })

  it('asks each minute where the stream is refused, and says when nothing answers', async () => {
    const page = await demo.open({ expected: /ERR_FAILED|429/ })
    await page.clock.install()
    await page.route('**/api/v2/stream', (route) => route.fulfill({ status: 429 }))
    await page.goto('/')
    await page.getByText('Se actualiza cada minuto.').waitFor()

    const board = `${demo.service.url}/`
    await page.route(board, async (route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replace(/(data-cell="usd\/blue sell"[^>]*>)[^<]+/, '$19.999,00')
        .replace(/(data-pair="usd\/blue"[^>]*data-sell=)"\d+"/, '$1"99990000"')
      await route.fulfill({ response, body })
    })
    await page.clock.runFor(70_000)
    await expect.poll(() => cell(page, 'usd/blue sell')).toBe('9.999,00')
    await page.getByText('El blue se vende a $ 9.999,00').waitFor()

    // Out of reach, what stands there stays and grows old before one's eyes.
    await page.unroute(board)
    await page.route(board, (route) => route.abort())
    await page.clock.runFor(70_000)
    await live(page).filter({ hasText: 'Sin conexión desde las' }).waitFor()
    await page.clock.runFor(4 * 60_000)
    expect(await cell(page, 'usd/blue sell')).toBe('9.999,00')
    expect(await cell(page, 'usd/blue age')).toMatch(/hace [56] min/)

    await page.unroute(board)
    await page.unroute('**/api/v2/stream')
    await page.clock.runFor(3 * 60_000)
    await page.getByText('En vivo: los cambios llegan solos.').waitFor()
    await expect.poll(() => cell(page, 'usd/blue sell')).not.toBe('9.999,00')
  })
})
