import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { PHONE } from '../../../tools/prove/harness/browser.ts'
import { DESKTOP } from './in-browser.ts'

/** The folder for screenshots; without it none are made. */
const FOLDER = process.env['SCREENSHOTS']

/** Each width and each colour scheme once: no colour depends on the width. */
const LOOKS = [
  { width: 'phone', viewport: PHONE, colorScheme: 'light' },
  { width: 'desktop', viewport: DESKTOP, colorScheme: 'dark' },
] as const

/**
 * Checks a page on a phone in light and on a desktop in dark: nothing overflows sideways, also with
 * 200 % text on a phone, and axe finds no problem. Makes screenshots when `SCREENSHOTS` names a
 * folder.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  // Between two documents the page has no body for a moment.
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

/** The pixels by which the page overflows sideways. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** The problems that axe finds on the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Added through the debugger, like an extension: the page's own policy blocks such a script.
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
