import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityProblems } from './axe.ts'
import { PHONE } from '../../../tools/prove/harness/browser.ts'
import { DESKTOP } from './in-browser.ts'

/** Where pictures are kept for looking at; none are taken without it. */
const FOLDER = process.env['SCREENSHOTS']

/** Each width and each light once: no colour of ours depends on the width. */
const LOOKS = [
  { width: 'phone', viewport: PHONE, colorScheme: 'light' },
  { width: 'desktop', viewport: DESKTOP, colorScheme: 'dark' },
] as const

/**
 * Shows that a page stands on a phone in light and on a desktop in dark: nothing sticks out
 * sideways and axe finds nothing. Leaves pictures when `SCREENSHOTS` names a folder.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  // Between two documents there is none for a moment.
  await page.locator('body').waitFor({ state: 'attached' })
  await page.waitForLoadState()
  for (const { width, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const where = `${name}, ${width}, ${colorScheme}`

    const sideways = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(sideways, where).toBe(0)
    expect(await accessibilityProblems(page), where).toEqual([])
    if (FOLDER) {
      mkdirSync(FOLDER, { recursive: true })
      await page.screenshot({
        path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
