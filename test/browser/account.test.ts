import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectGoodLooks } from './support/looks.ts'
import { askForLink, printedLink } from './support/sign-in.ts'
import { describeInBrowser, focused, follow, press } from './support/in-browser.ts'

describeInBrowser('the account area', ['--no-backfill'], {}, (demo) => {
  it('looks right in every state, and copies a key', async () => {
    const page = await demo.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/cuenta')
    await expectGoodLooks(page, 'entrar')
    await askForLink(page, 'ana@ejemplo.com.ar')
    await expectGoodLooks(page, 'enviado')

    await page.goto(await printedLink(demo.service, 'ana@ejemplo.com.ar'))
    await expectGoodLooks(page, 'enlace')
    await press(page, 'Entrar')
    await page.getByRole('heading', { name: 'Tu cuenta' }).waitFor()
    await page.getByText('Todavía no tenés claves').waitFor()
    await expectGoodLooks(page, 'cuenta-vacia')
    // This service has an http address; test/site tests one with https.
    const safe = { httpOnly: true, secure: false, sameSite: 'Lax', path: '/' }
    expect(await page.context().cookies()).toMatchObject([safe])

    const secret = await create(page, 'planilla de precios <b>&')
    await expectGoodLooks(page, 'clave-creada')
    await page.getByRole('button', { name: 'Copiar' }).first().click()
    await page.getByText('Copiado').first().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await follow(page.getByRole('link', { name: 'Listo, lo guardé', exact: true }))

    await page.getByText('Rotar', { exact: true }).click()
    await expectGoodLooks(page, 'rotar')
    await press(page, 'Rotar la clave')
    await expectGoodLooks(page, 'clave-rotada')

    for (const name of [
      'servidor',
      'tablero de la oficina',
      'pruebas',
      'un nombre larguísimo de sesenta letras que llena todo el renglón',
    ])
      await create(page, name)
    await page.goto('/cuenta')
    expect(await page.getByLabel('Nombre de la clave nueva').count()).toBe(0)
    await expectGoodLooks(page, 'cuenta-llena')

    await page.getByText('Revocar', { exact: true }).first().click()
    await expectGoodLooks(page, 'revocar')
    await press(page, 'Revocar la clave')
    await expectGoodLooks(page, 'cuenta-tras-revocar')

    await page.getByText('Borrar la cuenta…').click()
    await page.getByLabel('escribí tu correo').fill('otra@ejemplo.com')
    await press(page, 'Borrar mi cuenta')
    await page.getByText('El correo no es el de esta cuenta').waitFor()
    await expectGoodLooks(page, 'borrar-mal')
    await page.getByLabel('escribí tu correo').fill('ana@ejemplo.com.ar')
    await press(page, 'Borrar mi cuenta')
    await page.getByText('Borramos tu cuenta').waitFor()
    await expectGoodLooks(page, 'cuenta-borrada')
  })

  it('works with the keyboard alone', async () => {
    const page = await demo.open()
    await page.goto('/cuenta/entrar')

    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Saltar al contenido')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('teclado@ejemplo.com')
    await page.keyboard.press('Enter')
    await page.getByText('Mirá la terminal').first().waitFor()

    await page.goto(await printedLink(demo.service, 'teclado@ejemplo.com'))
    await tabTo(page, 'Entrar', 'BUTTON')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tu cuenta' }).waitFor()
    await page.getByLabel('Nombre de la clave nueva').focus()
    await page.keyboard.type('por teclado')
    await page.keyboard.press('Enter')
    const headers = { 'x-api-key': await shownSecret(page) }
    expect((await demo.service.get('/api/v2/auth/check', { headers })).status).toBe(200)
    await page.goto('/cuenta')
    await page.getByRole('button', { name: 'Salir' }).press('Enter')
    await page.getByText('Saliste de tu cuenta').waitFor()
  })
})

async function create(page: Page, name: string): Promise<string> {
  if (new URL(page.url()).pathname !== '/cuenta') await page.goto('/cuenta')
  await page.getByLabel('Nombre de la clave nueva').fill(name)
  await press(page, 'Crear clave')
  return shownSecret(page)
}

async function shownSecret(page: Page): Promise<string> {
  await page.getByText('Copialo ahora').waitFor()
  return (await page.locator('#secreto').textContent())!.trim()
}

/** Presses Tab until the element has the focus, like a person without a mouse. */
async function tabTo(page: Page, text: string, tag: string): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab')
    const tagName = await page.evaluate('document.activeElement?.tagName')
    if (tagName === tag && (await focused(page)) === text) return
  }
  throw new Error(`${text} is not reached by keyboard`)
}
