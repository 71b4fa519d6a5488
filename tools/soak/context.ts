import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'
import { createRandom, type Random } from '../harness/random.ts'
import { Service } from '../harness/service.ts'
import { type Ask, createJudgedAsk } from './ask.ts'
import { type Fixtures, openFixtures } from './fixtures.ts'
import { PostLog } from './posts.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  stateDir: string
  progress(line: string): void
}

/** What the parts of one soak share: the service, what surrounds it, and what is seen. */
export interface SoakContext extends SoakOptions {
  random: Random
  fixtures: Fixtures
  service: Service
  ask: Ask
  findings: Findings
  log: PostLog
  /** Requests that were answered, by status. */
  statuses: Counts
  acts: Counts
  kills: Counts
  /** Lines of the service that tell of trouble. */
  trouble: Counts
  /** Delivery ids of the rows that were being sent, for each kill. */
  cut: string[][]
}

const TROUBLE = /"event":"(\w*(?:failed|broke|dead_letters|malformed)\w*)"|^(error): |(SQLITE_BUSY)/

export async function openContext(
  stack: AsyncDisposableStack,
  options: SoakOptions,
): Promise<SoakContext> {
  const { seed, stateDir } = options
  const [random, findings, log] = [createRandom(seed), new Findings(), new PostLog()]
  const [statuses, acts, kills, trouble] = Array.from({ length: 4 }, () => new Counts()) as [
    Counts,
    Counts,
    Counts,
    Counts,
  ]
  const fixtures = await openFixtures(stack, { random, seed, log, stateDir })
  const service = new Service(fixtures.args, {
    stateDir,
    env: fixtures.env,
    onError: (line) => {
      const what = TROUBLE.exec(line)?.slice(1).find(Boolean)
      if (what) trouble.add(what)
    },
  })
  stack.defer(() => service.destroy())
  const ask = createJudgedAsk(service, findings, statuses)
  const seen = { findings, log, statuses, acts, kills, trouble, cut: [] }
  return { ...options, random, fixtures, service, ask, ...seen }
}
