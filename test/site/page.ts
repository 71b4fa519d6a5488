import type { Instant } from '../../shared/argentine-time.ts'
import { env } from '../support/env.ts'
import { NOON } from '../support/instant.ts'
import { openSite } from '../support/site.ts'

/** The answer of a new isolate of the site. */
export function getPage(
  path: string,
  { now = NOON, env = {}, ...init }: RequestInit & { now?: Instant; env?: object } = {},
) {
  const site = openSite({ env })
  site.clock.now = now
  return site.fetch(path, init)
}

/** Publishes a chart document. */
export const putChart = (key: string, part: object) =>
  env.BOARD.put(key, JSON.stringify({ schema: 1, ...part }))

/** The text of a page without tags, spaces folded. */
export async function textOf(page: Response | Promise<Response>): Promise<string> {
  const text = await (await page).text()
  return text.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+|&nbsp;/g, ' ')
}
