import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../tools/prove/harness/browser.ts'
import { temporaryFolder } from '../../tools/support/scratch.ts'
import { type Service, startService } from '../../tools/prove/harness/service.ts'
import { expectGoodLooks } from './support/looks.ts'
import { signIn } from './support/sign-in.ts'
import { DESKTOP, noBrowser, openPage } from './support/pages.ts'

if (noBrowser) console.warn(`alert pages in the browser skipped: ${noBrowser}`)

describe.skipIf(noBrowser)('the alert pages in a browser', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    const stateDir = temporaryFolder()
    ;[service, browser] = await Promise.all([startService(['--demo'], { stateDir }), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  it('makes, shows, pauses, activates, edits, rotates and deletes alerts', async () => {
    const context = await browser.newContext({ viewport: DESKTOP, baseURL: service.url })
    const { page, complaints } = await openPage(context)
    await signIn(page, service, 'alertas@ejemplo.com')

    await page.getByRole('link', { name: 'Alertas', exact: true }).click()
    await expectGoodLooks(page, 'alertas-vacio')
    await page.getByLabel('Valor o porcentaje').fill('0')
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLooks(page, 'alertas-rechazada')

    await page.getByLabel('Cotización').selectOption('USD/BLUE')
    await page.getByLabel('Valor o porcentaje').fill('999999')
    await page.getByLabel('Avisar cada vez').check()
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByText('La alerta quedó creada').waitFor()
    await page.getByRole('heading', { name: 'Dólar Blue (venta) llega a $ 999.999,00' }).waitFor()
    await expectPicture(page, 'la alerta está en $ 999.999,00')
    await expectGoodLooks(page, 'alerta-activa')

    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.getByText('La alerta quedó en pausa').waitFor()
    await page.getByRole('button', { name: 'Activar' }).click()
    await page.getByText('La alerta quedó activada').waitFor()
    await page.getByRole('button', { name: 'Mandar una prueba' }).click()
    await page.getByText('La prueba va por correo').waitFor()

    await page.getByRole('link', { name: 'Editar' }).click()
    await expectGoodLooks(page, 'alerta-editar')
    await page.getByLabel('Avisar cuando').selectOption('gap')
    await page.getByLabel('Valor o porcentaje').fill('0.01')
    await page.getByLabel('Cómo te avisamos').selectOption('webhook')
    await page.getByLabel('URL del webhook').fill('https://receptor.example/avisos')
    await page.getByRole('button', { name: 'Guardar los cambios' }).click()
    await page.getByText('Guardamos los cambios de la alerta').waitFor()
    await page.getByText('https://receptor.example/***').waitFor()
    await expectGoodLooks(page, 'alerta-brecha')

    await page.getByRole('link', { name: 'Rotar el secreto' }).click()
    await page.getByRole('button', { name: 'Rotar el secreto' }).click()
    await page.getByText('Copialo ahora').waitFor()
    await expectGoodLooks(page, 'alerta-rotada')
    await page.getByRole('link', { name: 'Listo, lo guardé' }).click()
    await page.getByRole('link', { name: 'Alertas', exact: true }).click()
    await expectGoodLooks(page, 'alertas-una')

    await page.getByRole('link', { name: 'Administrar' }).click()
    await page.getByRole('link', { name: 'Borrar…' }).click()
    await expectGoodLooks(page, 'alerta-borrar')
    await page.getByRole('button', { name: 'Borrar la alerta' }).click()
    await page.getByText('La alerta quedó borrada').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('works without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url })
    const { page } = await openPage(context)
    await signIn(page, service, 'alertas-sin-js@ejemplo.com')

    await page.goto('/cuenta/alertas')
    await page.getByLabel('Valor o porcentaje').fill('1')
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByText('La condición ya se cumplía').waitFor()
    await expectPicture(page, 'la alerta está en')
    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.getByRole('button', { name: 'Activar' }).click()
    await page.getByText('La alerta quedó activada').waitFor()
    await context.close()
  })
})

/** The first charts of a new service are drawn while it already answers, and KV keeps what it had. */
async function expectPicture(page: Page, name: string): Promise<void> {
  const find = async () => {
    await page.reload()
    return page.getByRole('img', { name }).count()
  }
  await expect.poll(find, { timeout: 60_000, interval: 2000 }).toBe(1)
}
