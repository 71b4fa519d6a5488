import { type Browser, chromium } from 'playwright-core'

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Playwright creates a fresh profile for each run, and removes it. */
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

/** As narrow as common phones. */
export const PHONE = { width: 360, height: 780 }
