import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { press } from './in-browser.ts'
import type { Service } from '../../../tools/prove/harness/service.ts'

/** Signs in with a mailed link. Each test uses its own e-mail. */
export async function signIn(page: Page, service: Service, email: string): Promise<void> {
  await page.goto('/cuenta/entrar')
  await askForLink(page, email)
  await page.goto(await printedLink(service, email))
  await press(page, 'Entrar')
  await page.getByRole('heading', { name: 'Tu cuenta' }).waitFor()
}

/** Fills the form of the sign-in page. */
export async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Correo electrónico').fill(email)
  await press(page, 'Mandarme el enlace')
  await page.getByRole('heading', { name: 'Mirá la terminal' }).waitFor()
}

/** The first link that `npm start` printed for an e-mail. */
export async function printedLink({ lines }: Service, email: string): Promise<string> {
  const find = () => lines.find((line) => line.startsWith(`link ${email} `))
  await expect.poll(find, { timeout: 10_000 }).toBeDefined()
  return find()!.split(' ')[2]!
}
