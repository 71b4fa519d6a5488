import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Through the debugger, as an extension would: the page's own policy lets no such script in.
  await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary ?? ''}`),
    )
  })
}

interface AxeResults {
  violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[]
}
