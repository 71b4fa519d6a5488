import { existsSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { CHROMIUM } from '../../../tools/prove/harness/browser.ts'

/** Why browser tests cannot run here, or null. */
export const noBrowser = existsSync(CHROMIUM) ? null : `no Chromium at ${CHROMIUM}`

export const DESKTOP = { width: 1280, height: 800 }

/** A page that fails the test when it breaks its own Content-Security-Policy or throws. */
export async function openPage(
  context: BrowserContext,
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|409|410)/.test(message.text()))
      complaints.push(message.text())
  })
  return { page, complaints }
}
