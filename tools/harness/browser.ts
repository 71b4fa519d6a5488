import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { existsSync } from 'node:fs'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Why browser tests cannot run here, or null. */
export const noBrowser = existsSync(CHROMIUM) ? null : `no Chromium at ${CHROMIUM}`

/** Playwright gives each run a fresh profile of its own, and removes it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** As narrow as phones in use are. */
export const PHONE = { width: 360, height: 780 }
export const DESKTOP = { width: 1280, height: 800 }

/** A page that fails the test when it breaks its own Content-Security-Policy or throws. */
export async function openPage(
  context: BrowserContext,
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.setDefaultTimeout(8000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|409|410)/.test(message.text()))
      complaints.push(message.text())
  })
  return { page, complaints }
}
