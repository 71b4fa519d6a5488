import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { addDays, argentineDay } from '../../shared/argentine-time.ts'
import { expectGoodLooks } from './support/looks.ts'
import {
  cell,
  describeInBrowser,
  DESKTOP,
  focused,
  follow,
  layoutShift,
  press,
} from './support/in-browser.ts'

/** The most bytes that a first visit may load, headers included. */
const FIRST_VISIT_BYTES = 60 * 1024

describeInBrowser('home and pair pages', [], {}, (demo) => {
  it('the home page looks right in every colour scheme and width, and nothing moves while it loads', async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      const page = await demo.open({ viewport })
      const bytes = await countBytes(page)
      // The stream stays open, so the network is never idle.
      await page.goto('/')
      await page.getByText('En vivo: los cambios llegan solos.').waitFor()
      expect(await page.locator('tr[data-pair]').count()).toBe(19)
      await page.getByText('Modo demo.').waitFor()
      expect(await layoutShift(page)).toBeLessThan(0.01)
      expect(bytes()).toBeLessThan(FIRST_VISIT_BYTES)
      if (viewport === DESKTOP) await expectGoodLooks(page, 'inicio')
    }
  })

  it('the converter computes while the visitor types', async () => {
    const page = await demo.open()
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
  })

  it('works without JavaScript', async () => {
    const page = await demo.open({ javaScriptEnabled: false })
    await page.goto('/')
    await page.getByLabel('Monto').fill('1')
    await page.getByLabel('Cotización', { exact: true }).selectOption('usd/ccl')
    await press(page, 'Convertir')
    const sell = await cell(page, 'usd/ccl sell')
    expect(await page.locator('[data-result=pesos]').textContent()).toBe(`$ ${sell}`)

    await follow(page.getByRole('link', { name: 'Dólar CCL', exact: true }))
    expect(await page.locator('.chart').innerText()).toContain('Con JavaScript se puede elegir')
    expect((await page.locator('.chart-still path').boundingBox())!.width).toBeGreaterThan(200)

    const day = addDays(argentineDay(Date.now()), -40)
    await page.getByLabel('¿Cuánto valía otro día?').fill(day)
    await page.getByRole('button', { name: 'Ver ese día' }).click()
    await page.waitForURL(`/usd/ccl/${day}`)
    expect(await page.locator('.headline-value').innerText()).toMatch(/\$.[\d.]+,\d\d/)
    await page.getByRole('link', { name: 'Día siguiente' }).click()
    await page.waitForURL(`/usd/ccl/${addDays(day, 1)}`)
  })

  it.each([
    ['/brecha', 'brecha', 'Brecha cambiaria'],
    ['/calendario', 'calendario', /^Feriados bursátiles y bancarios/],
    ['/facturacion', 'facturacion', 'Tipo de cambio para facturar'],
    ['/estado', 'estado', 'Estado del servicio'],
    [`/usd/blue/${addDays(argentineDay(Date.now()), -40)}`, 'fecha', /^Dólar Blue el /],
  ])('%s looks right in every colour scheme and width', async (path, name, heading) => {
    const page = await demo.open()
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    expect(await layoutShift(page)).toBeLessThan(0.02)
    for (const summary of await page.locator('summary:visible').all()) await summary.click()
    await expectGoodLooks(page, name)
  })

  it('names what people come for at the top of every page, on a phone too', async () => {
    const page = await demo.open({ viewport: PHONE })
    await page.goto('/')
    for (const [name, path] of [
      ['Brecha', '/brecha'],
      ['Facturación', '/facturacion'],
      ['Planillas', '/docs/planillas'],
    ] as const) {
      const link = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name })
      await follow(link)
      expect(new URL(page.url()).pathname).toBe(path)
    }
  })

  it('works with the keyboard alone', async () => {
    const page = await demo.open()
    await page.goto('/')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Saltar al contenido')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Dólar Oficial')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dólar Oficial' }).waitFor()

    await page.getByRole('radio', { name: '1 mes' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-values]', { hasText: 'Último año' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByLabel('Velas').and(page.locator(':focus')).waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.locator('.chart-part').nth(1).waitFor()
  })

  it('the card for frames looks right in every colour scheme and width', async () => {
    const page = await demo.open()
    await page.goto('/embed/usd/blue')
    await page.getByRole('link', { name: 'Dólar Blue' }).waitFor()
    await expectGoodLooks(page, 'tarjeta')
  })

  it('the board shows a lost connection, and continues once it is back', async () => {
    const page = await demo.open({ expected: /ERR_INTERNET_DISCONNECTED/ })
    await page.goto('/')
    await page.getByText('En vivo: los cambios llegan solos.').waitFor()
    await page.context().setOffline(true)
    await page
      .locator('[data-live]')
      .filter({ hasText: 'Sin conexión desde las' })
      .waitFor({ timeout: 30_000 })
    await page.context().setOffline(false)
    await page.getByText('En vivo: los cambios llegan solos.').waitFor({ timeout: 30_000 })
  })

  it('the page of an unknown address says so and links back', async () => {
    const page = await demo.open({ expected: /status of 404/ })
    const response = await page.goto('/usd/nada')
    expect(response!.status()).toBe(404)
    await expectGoodLooks(page, 'no-esta')
    await follow(page.getByRole('link', { name: 'Volver' }))
    await page.getByRole('heading', { name: 'El dólar hoy' }).waitFor()
  })
})

/** Counts the bytes that come over the network from now on. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => bytes
}
