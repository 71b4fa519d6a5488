import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
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
 * Checks a page on a phone in light and on a desktop in dark: nothing sticks out sideways, on a
 * phone with 200 % text neither, and axe finds nothing. Leaves pictures when `SCREENSHOTS` names a
 * folder.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  // Between two documents there is none for a moment.
  await page.locator('body').waitFor({ state: 'attached' })
  await page.waitForLoadState()
  for (const { width, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const where = `${name}, ${width}, ${colorScheme}`

    expect(await sideways(page), where).toBe(0)
    expect(await accessibilityProblems(page), where).toEqual([])
    if (FOLDER) {
      mkdirSync(FOLDER, { recursive: true })
      await page.screenshot({
        path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      })
    }
  }
  await page.setViewportSize(PHONE)
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  expect(await sideways(page), `${name}, 200 % text`).toBe(0)
  await page.evaluate("document.documentElement.style.fontSize = ''")
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** By how many pixels the page sticks out. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** What axe finds wrong with the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Through the debugger, as an extension would: the page's own policy lets no such script in.
  if (!(await page.evaluate<boolean>('Boolean(globalThis.axe)'))) await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary ?? ''}`),
    )
  })
}

interface Axe {
  run: (options: object) => Promise<{
    violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[]
  }>
}
