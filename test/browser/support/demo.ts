import type { Browser } from 'playwright-core'
import { openBrowser } from '../../../tools/prove/harness/browser.ts'
import { type Service, startService } from '../../../tools/prove/harness/service.ts'

/** A demo service, with more options of `npm start`, and a browser. */
export function openDemo(
  more: readonly string[] = [],
  options: Parameters<typeof startService>[1] = {},
): Promise<[Service, Browser]> {
  return Promise.all([startService(['--demo', ...more], options), openBrowser()])
}

/** Ends what was opened: nothing is, where the opening failed. */
export async function closeDemo(service?: Service, browser?: Browser): Promise<void> {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
}
