import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { createAuthority } from '../../tools/support/authority.ts'
import { openReceiver, receiverOptions } from '../../tools/support/receiver.ts'
import { temporaryFolder } from '../../tools/support/scratch.ts'
import { describeInBrowser } from './support/in-browser.ts'
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

describeInBrowser('the webhook pages', ['--no-backfill', ...args], { stateDir, env }, (demo) => {
  it('makes, tests, pauses, activates, edits, rotates and deletes a webhook', async () => {
    const page = await demo.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, demo.service, 'avisos@ejemplo.com')

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await expectGoodLooks(page, 'webhooks-vacio')
    await page.getByLabel('URL que recibe los avisos').fill('https://10.0.0.1/x')
    await page.getByRole('button', { name: 'Crear webhook' }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLooks(page, 'webhooks-rechazado')

    await page.getByLabel('Par que sigue').selectOption('USD/MAYORISTA')
    await page.getByLabel('URL que recibe los avisos').fill(`https://${NAME}/hook?x=1`)
    await page.getByLabel('Credencial para el receptor').fill('Bearer del-receptor')
    await page.getByRole('button', { name: 'Crear webhook' }).click()
    const first = await shownSecret(page)
    await expectGoodLooks(page, 'webhook-creado')
    await page.getByRole('button', { name: 'Copiar' }).first().click()
    await page.getByText('Copiado').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first)

    await page.getByRole('link', { name: 'Listo, lo guardé' }).click()
    await page.getByText('Copialo ahora').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(first)
    await expectGoodLooks(page, 'webhook-activo')
    await page.getByRole('button', { name: 'Mandar una prueba' }).click()
    await page.getByText('El receptor respondió HTTP 204.').waitFor({ timeout: 30_000 })
    await page.getByRole('listitem').filter({ hasText: 'Entregada' }).waitFor()
    expect(authorizations).toEqual(['Bearer del-receptor'])
    await expectGoodLooks(page, 'webhook-probado')

    await page.getByRole('listitem').getByRole('button', { name: 'Reenviar' }).first().click()
    await page.getByText('La entrega sale otra vez.').waitFor()
    await expect.poll(() => authorizations.length, { timeout: 20_000 }).toBe(2)
    await expectGoodLooks(page, 'webhook-reenviado')

    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.getByText('El webhook quedó en pausa').waitFor()
    await expectGoodLooks(page, 'webhook-en-pausa')
    await page.getByRole('button', { name: 'Activar' }).click()
    await page.getByText('El webhook quedó activado').waitFor()

    await page.getByRole('link', { name: 'Editar' }).click()
    await expectGoodLooks(page, 'webhook-editar')
    await page.getByLabel('Par que sigue').selectOption('EUR/BNA')
    await page.getByRole('button', { name: 'Guardar los cambios' }).click()
    await page.getByText('Guardamos los cambios').waitFor()
    await page.getByRole('heading', { name: 'Webhook de Euro Banco Nación' }).waitFor()

    // Refused while the sync of the edit is being sent: a click may have to be made again.
    await expect.poll(() => rotate(page), { timeout: 20_000 }).toBe(true)
    expect(await shownSecret(page)).not.toBe(first)
    await expectGoodLooks(page, 'webhook-rotado')
    await page.getByRole('link', { name: 'Listo, lo guardé' }).click()

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await expectGoodLooks(page, 'webhooks-uno')
    await page.getByRole('link', { name: 'Administrar' }).click()
    await page.getByText('Borrar…').click()
    await expectGoodLooks(page, 'webhook-borrar')
    await page.getByRole('button', { name: 'Borrar el webhook' }).click()
    await page.getByText('El webhook quedó borrado').waitFor()
    await page.getByText('Todavía no tenés webhooks').waitFor()
  })

  it('works without JavaScript', async () => {
    const page = await demo.open({ javaScriptEnabled: false })
    await signIn(page, demo.service, 'sin-js@ejemplo.com')

    await page.goto('/cuenta/webhooks')
    await page.getByLabel('URL que recibe los avisos').fill(`https://${NAME}/otro`)
    await page.getByRole('button', { name: 'Crear webhook' }).click()
    await shownSecret(page)
    expect(await page.getByRole('button', { name: 'Copiar' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Listo, lo guardé' }).click()
    await page.getByRole('button', { name: 'Mandar una prueba' }).click()
    await expect.poll(() => reloaded(page), { timeout: 30_000 }).toContain('respondió HTTP 204')
    await page.getByLabel('Reenviar, en orden, lo que no llegó en').selectOption('6')
    await page.getByRole('button', { name: 'Reenviar' }).first().click()
    await page.getByText('No hay entregas sin llegar desde entonces.').waitFor()
    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.getByRole('button', { name: 'Activar' }).click()
    await page.getByText('El webhook quedó activado').waitFor()
  })
})

async function shownSecret(page: Page): Promise<string> {
  await page.getByText('Copialo ahora').waitFor()
  const secret = (await page.locator('#secreto').textContent())!.trim()
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  return secret
}

/** Rotates from the webhook's page; whether it was done. */
async function rotate(page: Page): Promise<boolean> {
  await page.waitForLoadState()
  await page.locator('summary', { hasText: 'Rotar el secreto' }).click()
  const answered = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Rotar el secreto' }).click()
  await answered
  return (await page.getByText('Copialo ahora').count()) > 0
}

async function reloaded(page: Page): Promise<string> {
  await page.reload()
  return page.content()
}
