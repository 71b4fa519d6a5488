import { afterAll, expect, it } from 'vitest'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { createAuthority } from '../../tools/support/authority.ts'
import { openReceiver, receiverOptions } from '../../tools/support/receiver.ts'
import { temporaryFolder } from '../../tools/support/scratch.ts'
import { describeInBrowser, DESKTOP, follow, press } from './support/in-browser.ts'
import { expectGoodLooks } from './support/looks.ts'
import { signIn } from './support/sign-in.ts'

const NAME = 'avisos.example.com'
const stateDir = temporaryFolder()
const authority = createAuthority()
const authorizations: (string | undefined)[] = []
const receiver = await openReceiver(authority.issue([NAME]), (headers, _, response) => {
  authorizations.push(headers.authorization)
  response.writeHead(204).end()
})
afterAll(() => receiver[Symbol.asyncDispose]())
const { args, env } = receiverOptions(authority, stateDir, { [NAME]: receiver.port })

/** Chosen before the start, because the start needs it for the origin. */
const PORT = 18_790
// Alerts by e-mail need a sender, and the sender an origin for its links.
const VARS = ['MAIL_FROM=avisos@ejemplo.com', `PUBLIC_ORIGIN=http://127.0.0.1:${PORT}`]
const ARGS = ['--port', String(PORT), ...VARS.flatMap((text) => ['--var', text])]

const options = { stateDir, env }
describeInBrowser('subscriptions', ['--no-backfill', ...args, ...ARGS], options, (demo) => {
  it('makes, tests, pauses, edits, rotates and deletes a webhook', async () => {
    const page = await demo.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, demo.service, 'avisos@ejemplo.com')

    await follow(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await expectGoodLooks(page, 'webhooks-vacio')
    await page.getByLabel('URL que recibe los avisos').fill('https://10.0.0.1/x')
    await press(page, 'Crear webhook')
    await page.getByRole('alert').waitFor()
    await expectGoodLooks(page, 'webhooks-rechazado')

    await page.getByLabel('Par que sigue').selectOption('USD/MAYORISTA')
    await page.getByLabel('URL que recibe los avisos').fill(`https://${NAME}/hook?x=1`)
    await page.getByLabel('Credencial para el receptor').fill('Bearer del-receptor')
    await press(page, 'Crear webhook')
    const secret = (await page.locator('#secreto').textContent())!.trim()
    await expectGoodLooks(page, 'webhook-creado')
    await page.getByRole('button', { name: 'Copiar' }).first().click()
    await page.getByText('Copiado').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)

    await follow(page.getByRole('link', { name: 'Listo, lo guardé', exact: true }))
    await expectGoodLooks(page, 'webhook-activo')
    await press(page, 'Mandar una prueba')
    await page.getByText('El receptor respondió HTTP 204.').waitFor({ timeout: 30_000 })
    await page.getByRole('listitem').filter({ hasText: 'Entregada' }).waitFor()
    expect(authorizations).toEqual(['Bearer del-receptor'])
    await expectGoodLooks(page, 'webhook-probado')

    await press(page, 'Pausar')
    await page.getByText('El webhook quedó en pausa').waitFor()
    await expectGoodLooks(page, 'webhook-en-pausa')
    await follow(page.getByRole('link', { name: 'Editar', exact: true }))
    await expectGoodLooks(page, 'webhook-editar')
    await press(page, 'Guardar los cambios')
    await page.getByText('Guardamos los cambios').waitFor()

    // Rotation is refused while the edit's sync is being sent, so a click may have to be repeated.
    const rotate = async () => {
      await page.locator('summary', { hasText: 'Rotar el secreto' }).click()
      await press(page, 'Rotar el secreto')
      return (await page.getByText('Copialo ahora').count()) > 0
    }
    await expect.poll(rotate, { timeout: 20_000 }).toBe(true)
    await expectGoodLooks(page, 'webhook-rotado')
    await follow(page.getByRole('link', { name: 'Listo, lo guardé', exact: true }))

    await follow(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await expectGoodLooks(page, 'webhooks-uno')
    await follow(page.getByRole('link', { name: 'Administrar', exact: true }))
    await page.getByText('Borrar…').click()
    await expectGoodLooks(page, 'webhook-borrar')
    await press(page, 'Borrar el webhook')
    await page.getByText('El webhook quedó borrado').waitFor()
  })

  it('makes, shows, tests and edits alerts', async () => {
    const page = await demo.open()
    await signIn(page, demo.service, 'alertas@ejemplo.com')

    await follow(page.getByRole('link', { name: 'Alertas', exact: true }))
    await expectGoodLooks(page, 'alertas-vacio')
    await page.getByLabel('Valor o Porcentaje').fill('0')
    await press(page, 'Crear alerta')
    await page.getByRole('alert').waitFor()
    await expectGoodLooks(page, 'alertas-rechazada')

    await page.getByLabel('Cotización').selectOption('USD/BLUE')
    await page.getByLabel('Valor o Porcentaje').fill('999999')
    await page.getByLabel('Avisar cada vez').check()
    await press(page, 'Crear alerta')
    await page.getByText('La alerta quedó creada').waitFor()
    await page.getByRole('heading', { name: 'Dólar Blue (venta) llega a $ 999.999,00' }).waitFor()
    await expectGoodLooks(page, 'alerta-activa')

    await press(page, 'Mandar una prueba')
    await page.getByText('La prueba va por correo').waitFor()

    await follow(page.getByRole('link', { name: 'Editar', exact: true }))
    await expectGoodLooks(page, 'alerta-editar')
    await page.getByLabel('Avisar cuando').selectOption('gap')
    await page.getByLabel('Valor o Porcentaje').fill('0.01')
    await page.getByLabel('Cómo te avisamos').selectOption('webhook')
    await page.getByLabel('URL que recibe los avisos').fill('https://receptor.example/avisos')
    await press(page, 'Guardar los cambios')
    await page.getByText('Guardamos los cambios de la alerta').waitFor()
    await page.getByText('https://receptor.example/***').waitFor()
    await expectGoodLooks(page, 'alerta-brecha')

    await follow(page.getByRole('link', { name: 'Alertas', exact: true }))
    await expectGoodLooks(page, 'alertas-una')
  })

  it.each([
    ['a-script', { viewport: DESKTOP }],
    ['no-script', { viewport: PHONE, javaScriptEnabled: false }],
  ])('an alert’s form shows the fields that the choices need, with %s', async (name, options) => {
    const page = await demo.open(options)
    await signIn(page, demo.service, `campos-${name}@ejemplo.com`)
    await page.goto('/cuenta/alertas')

    const shown = async () => {
      const names = []
      for (const field of OPTIONAL_FIELDS) {
        if (await page.locator(`#${field}`).isVisible()) names.push(field)
      }
      return names
    }
    const level = page.getByRole('textbox', { name: 'Valor', exact: true })
    const percent = page.getByRole('textbox', { name: 'Porcentaje', exact: true })

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
    if (options.viewport === DESKTOP) await expectGoodLooks(page, 'alertas-todo')

    // A hidden field must not prevent sending the form.
    await page.getByLabel('URL que recibe los avisos').fill('nada')
    await page.getByLabel('Margen').fill('x')
    await page.getByLabel('Avisar cada vez').uncheck()
    await page.getByLabel('Cómo te avisamos').selectOption('email')
    await page.getByLabel('Valor o Porcentaje').fill('1')
    await press(page, 'Crear alerta')
    await page.getByText('La histéresis debe ser').waitFor()
  })

  it('an alert’s form says what the chosen pair is at now', async () => {
    const page = await demo.open({ viewport: PHONE, expected: /ERR_FAILED/ })
    await signIn(page, demo.service, 'frase@ejemplo.com')
    await page.goto('/cuenta/alertas')
    const says = (sentence: RegExp) =>
      expect
        .poll(async () => (await page.locator('#ahora').innerText()).replaceAll(/\s+/g, ' '))
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

/** Fields that some choices do not need. */
const OPTIONAL_FIELDS = ['lado', 'contra', 'contra_lado', 'histeresis', 'url', 'autorizacion']
