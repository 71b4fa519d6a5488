import { readOnce } from '../../../workers/scraper/collect/collect.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'

/**
 * Whether any source gives a document that can be read: one of each host is asked, all at once.
 * Without a network it takes one time-out of a source (8 s) at the most.
 */
export async function anySourceAnswers(network: typeof fetch = fetch): Promise<boolean> {
  const deps = { fetch: network, now: () => Date.now() }
  const byHost = new Map(
    SOURCES.map((source) => [new URL(source.request(deps.now()).url).host, source]),
  )
  return Promise.any([...byHost.values()].map((source) => readOnce(deps, source))).then(
    () => true,
    () => false,
  )
}
