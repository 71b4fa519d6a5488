import { expect, it } from 'vitest'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { expectGoodLooks } from './support/looks.ts'
import { signIn } from './support/sign-in.ts'
import { describeInBrowser, DESKTOP } from './support/in-browser.ts'

/** Known before the start, which is told it as the origin. */
const PORT = 18_790
// Alerts by e-mail want a sender, and a sender an origin for its links.
const VARS = ['MAIL_FROM=avisos@ejemplo.com', `PUBLIC_ORIGIN=http://127.0.0.1:${PORT}`]
const ARGS = ['--port', String(PORT), ...VARS.flatMap((text) => ['--var', text])]

describeInBrowser('the alert pages', ARGS, {}, (demo) => {
  it('makes, shows, tests and edits alerts', async () => {
    const page = await demo.open()
    await signIn(page, demo.service, 'alertas@ejemplo.com')

    await page.getByRole('link', { name: 'Alertas', exact: true }).click()
    await expectGoodLooks(page, 'alertas-vacio')
    await page.getByLabel('Valor o Porcentaje').fill('0')
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLooks(page, 'alertas-rechazada')

    await page.getByLabel('Cotización').selectOption('USD/BLUE')
    await page.getByLabel('Valor o Porcentaje').fill('999999')
    await page.getByLabel('Avisar cada vez').check()
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByText('La alerta quedó creada').waitFor()
    await page.getByRole('heading', { name: 'Dólar Blue (venta) llega a $ 999.999,00' }).waitFor()
    await expectGoodLooks(page, 'alerta-activa')

    await page.getByRole('button', { name: 'Mandar una prueba' }).click()
    await page.getByText('La prueba va por correo').waitFor()

    await page.getByRole('link', { name: 'Editar' }).click()
    await expectGoodLooks(page, 'alerta-editar')
    await page.getByLabel('Avisar cuando').selectOption('gap')
    await page.getByLabel('Valor o Porcentaje').fill('0.01')
    await page.getByLabel('Cómo te avisamos').selectOption('webhook')
    await page.getByLabel('URL que recibe los avisos').fill('https://receptor.example/avisos')
    await page.getByRole('button', { name: 'Guardar los cambios' }).click()
    await page.getByText('Guardamos los cambios de la alerta').waitFor()
    await page.getByText('https://receptor.example/***').waitFor()
    await expectGoodLooks(page, 'alerta-brecha')

    await page.getByRole('link', { name: 'Alertas', exact: true }).click()
    await expectGoodLooks(page, 'alertas-una')
  })

  it.each([
    ['on a desktop', { viewport: DESKTOP }],
    ['on a phone', { viewport: PHONE, hasTouch: true, isMobile: true }],
    ['without JavaScript', { viewport: PHONE, javaScriptEnabled: false }],
  ])('shows the fields that the choices need %s', async (where, options) => {
    const page = await demo.open(options)
    await signIn(
      page,
      demo.service,
      `campos-${where.replaceAll(' ', '-').toLowerCase()}@ejemplo.com`,
    )
    await page.goto('/cuenta/alertas')

    const shown = async () => {
      const names = []
      for (const field of OPTIONAL_FIELDS) {
        if (await page.locator(`#${field}`).isVisible()) names.push(field)
      }
      return names
    }
    const level = page.getByRole('spinbutton', { name: 'Valor', exact: true })
    const percent = page.getByRole('spinbutton', { name: 'Porcentaje', exact: true })

    expect(await shown()).toEqual(['lado'])
    expect([await level.isVisible(), await percent.isVisible()]).toEqual([true, false])
    await page.getByLabel('Avisar cuando').selectOption('change')
    expect([await level.isVisible(), await percent.isVisible()]).toEqual([false, true])
    expect(await shown()).toEqual(['lado'])
    await page.getByLabel('Avisar cuando').selectOption('gap')
    expect(await shown()).toEqual(['lado', 'contra', 'contra_lado'])
    await page.getByLabel('Avisar cada vez').check()
    expect(await shown()).toEqual(['lado', 'contra', 'contra_lado', 'histeresis'])
    await page.getByLabel('Cómo te avisamos').selectOption('webhook')
    expect(await shown()).toEqual(OPTIONAL_FIELDS)
    await page.getByLabel('Avisar cuando').selectOption('below')
    await page.getByLabel('Cotización').selectOption('ARG/RIESGO')
    expect(await shown()).toEqual(['histeresis', 'url', 'autorizacion'])
    if (where === 'on a desktop') await expectGoodLooks(page, 'alertas-todo')

    // What nobody sees keeps nobody from sending the form.
    await page.getByLabel('URL que recibe los avisos').fill('nada')
    await page.getByLabel('Margen').fill('x')
    await page.getByLabel('Avisar cada vez').uncheck()
    await page.getByLabel('Cómo te avisamos').selectOption('email')
    await page.getByLabel('Valor o Porcentaje').fill('1')
    await page.getByRole('button', { name: 'Crear alerta' }).click()
    await page.getByText('La histéresis debe ser').waitFor()
  })

  it('says what the chosen pair is at now', async () => {
    const page = await demo.open({ viewport: PHONE, expected: /ERR_FAILED/ })
    await signIn(page, demo.service, 'frase@ejemplo.com')
    await page.goto('/cuenta/alertas')
    const says = (sentence: RegExp) =>
      expect
        .poll(async () => plainText(await page.locator('#ahora').textContent()))
        .toMatch(sentence)
    await says(/^Ahora vale \$ [\d.]+,\d\d\.$/)
    await expectGoodLooks(page, 'alertas-frase')
    await page.getByLabel('Cotización').selectOption('ARG/RIESGO')
    await says(/^Ahora vale \d+ puntos\.$/)
    await page.route('**/api/v2/eur/blue', (route) => route.abort())
    await page.getByLabel('Cotización').selectOption('EUR/BLUE')
    await says(/^No pudimos leer/)
  })
})

/** Fields that not every choice needs. */
const OPTIONAL_FIELDS = ['lado', 'contra', 'contra_lado', 'histeresis', 'url', 'autorizacion']

const plainText = (text: string | null) => text!.replaceAll(/\s+/g, ' ').trim()
