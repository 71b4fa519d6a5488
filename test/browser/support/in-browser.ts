import { existsSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { CHROMIUM, openBrowser } from '../../../tools/prove/harness/browser.ts'
import { type Service, startService } from '../../../tools/prove/harness/service.ts'

export const DESKTOP = { width: 1280, height: 800 }

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** A demo service and a browser, while their tests run. */
export interface Demo {
  readonly service: Service
  /**
   * Opens a page of the service in its own browser context, which counts layout shifts while it
   * loads. The test fails when the page breaks its Content-Security-Policy, throws, or prints an
   * error that `expected` does not match.
   */
  open(options?: ContextOptions & { expected?: RegExp }): Promise<Page>
}

/** Tests of a demo with these options of `npm start`; skipped where there is no browser. */
export function describeInBrowser(
  name: string,
  args: readonly string[],
  options: Parameters<typeof startService>[1],
  tests: (demo: Demo) => void,
): void {
  const isHere = existsSync(CHROMIUM)
  if (!isHere) console.warn(`${name} in the browser: skipped, no Chromium at ${CHROMIUM}`)

  describe.skipIf(!isHere)(name, () => {
    let service: Service
    let browser: Browser
    beforeAll(async () => {
      ;[service, browser] = await Promise.all([
        startService(['--demo', ...args], options),
        openBrowser(),
      ])
    })
    afterAll(async () => {
      await browser?.close()
      await service?.[Symbol.asyncDispose]()
    })
    tests({
      get service() {
        return service
      },
      open: (options) => openPage(browser, service, options),
    })
  })
}

async function openPage(
  browser: Browser,
  { url }: Service,
  { expected, ...options }: NonNullable<Parameters<Demo['open']>[0]> = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: DESKTOP, baseURL: url, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() !== 'error' || /status of (400|409|410)/.test(text)) return
    if (!expected?.test(text)) complaints.push(text)
  })
  if (options.javaScriptEnabled !== false) await page.addInitScript(WATCH)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  return page
}

const WATCH = `
  globalThis.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) globalThis.layoutShift += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** Clicks a link and waits for the next page: the click itself returns earlier. */
export async function follow(link: Locator): Promise<void> {
  await Promise.all([link.page().waitForEvent('load'), link.click()])
}

/** Clicks a button with that name and waits for the next page. */
export function press(page: Page, name: string): Promise<void> {
  return follow(page.getByRole('button', { name, exact: true }))
}

/** The text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent.trim()')
}

export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.layoutShift')
}

/** The text of a quote's cell (`usd/blue sell`), with non-breaking spaces as spaces. */
export async function cell(page: Page, name: string): Promise<string> {
  return (await page.locator(cellOf(name)).textContent())!.replaceAll('\u00a0', ' ')
}

/** The selector of a quote's cell. */
export function cellOf(name: string): string {
  const [pair, part] = name.split(' ')
  return `[data-pair="${pair}"] [data-cell="${part}"]`
}
