import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Service } from '../../../tools/prove/harness/service.ts'

/** Signs in by a mailed link, and returns it. Each test has e-mails of its own. */
export async function signIn(page: Page, service: Service, email: string): Promise<string> {
  await page.goto('/cuenta/entrar')
  await askForLink(page, email)
  const link = await printedLink(service, email)
  await page.goto(link)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { name: 'Tu cuenta' }).waitFor()
  return link
}

/** Fills the form of the sign-in page. */
export async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByRole('button', { name: 'Mandarme el enlace' }).click()
  await page.getByRole('heading', { name: 'Revisá tu correo' }).waitFor()
}

/** The first link that `npm start` printed for an e-mail. */
export async function printedLink({ lines }: Service, email: string): Promise<string> {
  const find = () => lines.find((line) => line.startsWith(`link ${email} `))
  await expect.poll(find, { timeout: 10_000 }).toBeDefined()
  return find()!.split(' ')[2]!
}
