import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'
import { createRandom } from '../../support/random.ts'
import { Service } from '../harness/service.ts'
import { createClient } from './client.ts'
import { openFixtures } from './fixtures.ts'
import { PostLog } from './posts.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  stateDir: string
  progress(line: string): void
}

/** What the parts of one soak share: the service, what surrounds it, and what is seen. */
export type SoakContext = Awaited<ReturnType<typeof openContext>>

const TROUBLE = /"event":"(\w*(?:failed|broke|dead_letters|malformed)\w*)"|^(error): |(SQLITE_BUSY)/

export async function openContext(stack: AsyncDisposableStack, options: SoakOptions) {
  const { seed, stateDir } = options
  const [random, findings, log] = [createRandom(seed), new Findings(), new PostLog()]
  const counts = {
    /** Requests that were answered, by status. */
    statuses: new Counts(),
    acts: new Counts(),
    kills: new Counts(),
    /** Lines of the service that tell of trouble. */
    trouble: new Counts(),
  }
  const fixtures = await openFixtures(stack, { random, seed, log, stateDir })
  const service = new Service(fixtures.args, {
    stateDir,
    env: fixtures.env,
    onError: (line) => {
      const what = TROUBLE.exec(line)?.slice(1).find(Boolean)
      if (what) counts.trouble.add(what)
    },
  })
  stack.defer(() => service.destroy())
  const request = createClient(service, findings, counts.statuses)
  /** Delivery ids of the rows that were being sent, for each kill. */
  const cut: string[][] = []
  return { ...options, random, fixtures, service, request, findings, log, ...counts, cut }
}
