import { ApiError, createClient } from '../../../../clients/javascript/index.ts'
import type { SendRequest } from '../../../support/http-client.ts'
import { check, type Check, LeftOut } from '../check.ts'
import { that } from '../expect.ts'

/** Before any day: the walk ends with the last manifest. */
const LAST_ALONE = '9999-12-31'

/** The last manifest of the record, its signature, and the sums of the days. */
export const recordChecks: Check[] = [
  check(
    'record: the last manifest is what was named, and signed by a listed key',
    async ({ ask }) => {
      const client = createClient({ baseUrl: 'http://service', fetch: fetchOver(ask), retries: 0 })
      const report = await client
        .verifyRecord({ since: LAST_ALONE, files: false })
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 503)
            throw new LeftOut('no night is published yet')
          throw error
        })
      const [problem] = report.problems
      that(problem === undefined, `${problem?.kind} ${problem?.name}`)
      if (report.unsigned > 0) throw new LeftOut('it is not signed: RECORD_SIGNING_KEY is missing')
    },
  ),
]

/** Asks each path once: the client looks again at what it found wrong. */
function fetchOver(ask: SendRequest): typeof fetch {
  const asked = new Map<string, ReturnType<SendRequest>>()
  return async (address) => {
    const { pathname } = new URL(address as URL)
    if (!asked.has(pathname)) asked.set(pathname, ask(pathname))
    const { status, headers, text } = await asked.get(pathname)!
    return new Response(text, { status, headers })
  }
}
