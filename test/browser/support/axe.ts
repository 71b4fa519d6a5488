import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Through the debugger, as an extension would: the page's own policy lets no such script in.
  if (!(await page.evaluate<boolean>('Boolean(globalThis.axe)'))) await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary ?? ''}`),
    )
  })
}

interface Axe {
  run: (options: { resultTypes: ['violations'] }) => Promise<AxeResults>
}

interface AxeResults {
  violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[]
}
