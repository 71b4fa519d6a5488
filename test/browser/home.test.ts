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

const LIVE = 'En vivo: los cambios llegan solos.'
const PAST_DAY = addDays(argentineDay(Date.now()), -40)
/** The most bytes that a first visit may load, headers included. */
const FIRST_VISIT_BYTES = 60 * 1024

describeInBrowser('home and pair pages', [], {}, (demo) => {
  it('the home page looks right in every colour scheme and width, and nothing moves while it loads', async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      const page = await demo.open({ viewport })
      const bytes = await countBytes(page)
      // The stream stays open, so the network is never idle.
      await page.goto('/')
      await page.getByText(LIVE).waitFor()
      expect(await page.locator('tr[data-pair]').count()).toBe(19)
      await page.getByText('Modo demo.').waitFor()
      // What people come for stands at the top, on a phone too.
      const ways = page.getByRole('navigation', { name: 'Principal' }).getByRole('link')
      expect(await ways.count()).toBe(6)
      expect(await layoutShift(page)).toBeLessThan(0.01)
      expect(bytes()).toBeLessThan(FIRST_VISIT_BYTES)
      if (viewport === DESKTOP) await expectGoodLooks(page, 'inicio')
    }
  })

  it('the converter computes while the visitor types', async () => {
    const page = await demo.open()
    await page.goto('/')
    const pesos = (text: string) => page.locator('[data-result=pesos]', { hasText: text }).waitFor()
    await page.getByLabel('Monto').fill('1')
    await pesos(`$ ${await cell(page, 'usd/blue sell')}`)
    await page.getByLabel('Cotización', { exact: true }).selectOption('eur/bna')
    await page.getByRole('radio', { name: 'Compra' }).check({ force: true })
    await pesos(`$ ${await cell(page, 'eur/bna buy')}`)
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

    await page.getByLabel('¿Cuánto valía otro día?').fill(PAST_DAY)
    await press(page, 'Ver ese día')
    expect(new URL(page.url()).pathname).toBe(`/usd/ccl/${PAST_DAY}`)
    expect(await page.locator('.headline-value').innerText()).toMatch(/\$.[\d.]+,\d\d/)
  })

  it.each([
    ['/brecha', 'brecha', 'Brecha cambiaria'],
    ['/calendario', 'calendario', /^Feriados bursátiles y bancarios/],
    ['/facturacion', 'facturacion', 'Tipo de cambio para facturar'],
    ['/estado', 'estado', 'Estado del servicio'],
    [`/usd/blue/${PAST_DAY}`, 'fecha', /^Dólar Blue el /],
    ['/embed/usd/blue', 'tarjeta', 'Dólar Blue'],
    ['/usd/nada', 'no-esta', 'No está acá'],
  ])('%s looks right in every colour scheme and width', async (path, name, heading) => {
    const page = await demo.open({ expected: /status of 404/ })
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    expect(await layoutShift(page)).toBeLessThan(0.02)
    for (const summary of await page.locator('summary:visible').all()) await summary.click()
    await expectGoodLooks(page, name)
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

  it('the board shows a lost connection, and continues once it is back', async () => {
    const page = await demo.open({ expected: /ERR_INTERNET_DISCONNECTED/ })
    await page.goto('/')
    await page.getByText(LIVE).waitFor()
    await page.context().setOffline(true)
    await page.getByText('Sin conexión desde las').waitFor({ timeout: 30_000 })
    await page.context().setOffline(false)
    await page.getByText(LIVE).waitFor({ timeout: 30_000 })
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
