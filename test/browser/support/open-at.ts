import type { Browser, Page } from 'playwright-core'
import type { Service } from '../../../tools/prove/harness/service.ts'
import { DESKTOP, openPage } from './pages.ts'

export type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** A page of the service that keeps count of what moves as it loads. */
export async function openAt(browser: Browser, service: Service, options: ContextOptions = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, baseURL: service.url, ...options })
  const { page, complaints } = await openPage(context)
  if (options.javaScriptEnabled !== false) await page.addInitScript(WATCH)
  return { context, page, complaints }
}

/** The text of a board's cell, blanks as they are typed. */
export async function cell(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-cell="${name}"]`).textContent())!.replaceAll('\u00a0', ' ')
}

export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.layoutShift')
}

const WATCH = `
  globalThis.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) globalThis.layoutShift += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })`
