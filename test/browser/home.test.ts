import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../tools/harness/service.ts'
import { accessibilityProblems } from './support/axe.ts'
import { DESKTOP, noBrowser, openBrowser, openPage, PHONE } from '../../tools/harness/browser.ts'
import { expectGoodLooks } from './support/looks.ts'

if (noBrowser) console.warn(`home and pair pages in the browser skipped: ${noBrowser}`)

/** What a first visit may weigh, headers and all. */
const FIRST_VISIT_BYTES = 100 * 1024

describe.skipIf(noBrowser)('home and pair pages in a browser', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(['--demo']), openBrowser()])
    await service.cycle()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({
      viewport: DESKTOP,
      baseURL: service.url,
      ...options,
    })
    const { page, complaints } = await openPage(context)
    await watchLayout(page, options.javaScriptEnabled !== false)
    return { context, page, complaints }
  }

  it('the home page stands in every light and width, and moves nothing as it loads', async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      const { context, page, complaints } = await open({ viewport })
      const bytes = await countBytes(page)
      await page.goto('/', { waitUntil: 'networkidle' })
      expect(await page.locator('tr[data-pair]').count()).toBe(19)
      await page.getByText('Modo demo.').waitFor()
      expect(await layoutShift(page)).toBeLessThan(0.01)
      expect(bytes()).toBeLessThan(FIRST_VISIT_BYTES)
      if (viewport === DESKTOP) await expectGoodLooks(page, 'inicio')
      expect(complaints).toEqual([])
      await context.close()
    }
  })

  it('the converter answers while one types', async () => {
    const { context, page, complaints } = await open()
    await page.goto('/')
    const sell = await cell(page, 'usd/blue sell')
    await page.getByLabel('Monto').fill('1')
    await page.locator('[data-result=pesos]', { hasText: `$ ${sell}` }).waitFor()
    await page.getByLabel('Cotización', { exact: true }).selectOption('eur/bna')
    await page.getByRole('radio', { name: 'Compra' }).check({ force: true })
    const buy = await cell(page, 'eur/bna buy')
    await page.locator('[data-result=pesos]', { hasText: `$ ${buy}` }).waitFor()
    await page.getByLabel('Monto').fill('mil')
    await page.getByText('Escribí un monto como 1.500,50.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('takes new values into the cells that changed, and into those alone', async () => {
    const { context, page, complaints } = await open()
    await page.clock.install()
    await page.goto('/')
    await page.getByLabel('Monto').fill('1')
    const link = page.getByRole('link', { name: 'Dólar Blue' })
    await link.focus()
    await page.evaluate(
      `document.querySelector('[data-pair="usd/blue"]').dataset.mine = 'same row'`,
    )
    await page.route('**/tablero', async (route) => {
      const response = await route.fetch()
      const old = await cell(page, 'usd/blue sell')
      const body = (await response.text())
        .replaceAll(`>${old}<`, '>9.999,00<')
        .replace(/(data-pair="usd\/blue"[^>]*data-sell=)"\d+"/, '$1"99990000"')
      await route.fulfill({ response, body })
    })
    await page.clock.runFor(70_000)
    await expect.poll(() => cell(page, 'usd/blue sell')).toBe('9.999,00')

    await page.locator('[data-result=pesos]', { hasText: '$ 9.999,00' }).waitFor()
    const row = page.locator('[data-pair="usd/blue"]')
    expect(await row.getAttribute('data-mine')).toBe('same row')
    expect(await link.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    )
    expect(await layoutShift(page)).toBeLessThan(0.01)

    // Out of reach, what stands there stays.
    await page.route('**/tablero', (route) => route.abort())
    await page.clock.runFor(70_000)
    expect(await cell(page, 'usd/blue sell')).toBe('9.999,00')
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  it('works without JavaScript', async () => {
    const { context, page } = await open({ javaScriptEnabled: false })
    await page.goto('/')
    await page.getByLabel('Monto').fill('1')
    await page.getByLabel('Cotización', { exact: true }).selectOption('usd/ccl')
    await page.getByRole('button', { name: 'Convertir' }).click()
    expect(new URL(page.url()).searchParams.get('par')).toBe('usd/ccl')
    const sell = await cell(page, 'usd/ccl sell')
    expect(await page.locator('[data-result=pesos]').textContent()).toBe(`$ ${sell}`)

    await page.getByRole('link', { name: 'Dólar CCL' }).click()
    await page.getByRole('heading', { name: 'Dólar CCL' }).waitFor()
    expect(await page.locator('.chart').innerText()).toContain('El gráfico necesita JavaScript')
    await context.close()
  })

  it('the chart comes when it is seen, for every period, with others beside it', async () => {
    const { context, page, complaints } = await open({ viewport: { width: 390, height: 420 } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/usd/blue', { waitUntil: 'networkidle' })
    expect(asked.filter((path) => /uplot|grafico/.test(path))).toEqual([])
    await page.locator('.chart').scrollIntoViewIfNeeded()
    await page.locator('.chart canvas').waitFor()
    expect(asked).toContain('/static/uplot.js')

    for (const name of ['1 día', '1 semana', '1 mes', '1 año', 'Todo']) {
      await page.getByRole('radio', { name }).check({ force: true })
      await expect.poll(() => painted(page), { message: name }).toBeGreaterThan(50)
    }
    await page.getByRole('checkbox', { name: 'Dólar CCL' }).check({ force: true })
    await page.locator('.chart-part', { hasText: 'Dólar CCL' }).waitFor()
    expect(asked).toContain('/usd/ccl/grafico.json')

    await page.getByRole('radio', { name: '1 día' }).check({ force: true })
    await page.locator('.chart-when', { hasText: 'Último día' }).waitFor()
    const box = (await page.locator('.u-over').boundingBox())!
    await page.mouse.move(box.x + box.width - 3, box.y + 40)
    await page.locator('.chart-when', { hasText: /\d:\d\d/ }).waitFor()
    expect(await page.locator('[data-values]').textContent()).toMatch(/Dólar Blue \$ [\d.]+,\d\d/)
    await page.mouse.move(0, 0)

    expect(await layoutShift(page)).toBeLessThan(0.01)
    await page.setViewportSize(DESKTOP)
    await expectGoodLooks(page, 'par')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('works with the keyboard alone', async () => {
    const { context, page } = await open()
    await page.goto('/')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Saltar al contenido')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Dólar Oficial')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dólar Oficial' }).waitFor()

    await page.getByRole('radio', { name: '1 mes' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.chart-when', { hasText: 'Último año' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.locator('.chart-part').nth(1).waitFor()
    await context.close()
  })

  it('the card stands in a frame of another site', async () => {
    const { context, page, complaints } = await open()
    await using other = await serveHtml(`<!doctype html><html lang="es"><title>Ajena</title>
      <main><h1>Otra página</h1>
      <iframe title="Dólar Blue" src="${service.url}/embed/usd/blue" width="280" height="130"></iframe>
      <img src="${service.url}/badge/usd/blue.svg" alt="Dólar Blue"></main></html>`)
    await page.goto(other.url)
    const card = page.frameLocator('iframe')
    await card.getByRole('link', { name: 'Dólar Blue' }).waitFor()
    expect(await card.locator('.value').textContent()).toMatch(/\$.[\d.]+,\d\d/)
    const widths = `[...document.images].map((image) => image.naturalWidth)`
    expect((await page.evaluate<number[]>(widths))[0]).toBeGreaterThan(100)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.goto('/embed/usd/blue')
    await expectGoodLooks(page, 'tarjeta')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('an address that is not there says so, with a way back', async () => {
    const { context, page } = await open()
    const response = await page.goto('/usd/nada')
    expect(response!.status()).toBe(404)
    await expectGoodLooks(page, 'no-esta')
    await page.getByRole('link', { name: 'Volver' }).click()
    await page.getByRole('heading', { name: 'El dólar hoy' }).waitFor()
    await context.close()
  })
})

/** Another site than the service: a page on a port of its own. */
async function serveHtml(body: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The text of a board's cell, blanks as they are typed. */
async function cell(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-cell="${name}"]`).textContent())!.replaceAll('\u00a0', ' ')
}

async function watchLayout(page: Page, scripts: boolean): Promise<void> {
  if (!scripts) return
  await page.addInitScript(`
    globalThis.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!entry.hadRecentInput) globalThis.layoutShift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })`)
}

function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.layoutShift')
}

/** Counts what comes over the wire from now on. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => bytes
}

/** How many pixels of the chart's canvas are in the colour of its first line. */
function painted(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.chart canvas')
    if (!canvas) return 0
    const probe = document.createElement('canvas').getContext('2d')
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--series-1')
    probe.fillRect(0, 0, 1, 1)
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let i = 0; i < data.length; i += 4)
      if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] > 200) count++
    return count
  })()`)
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()')
}
