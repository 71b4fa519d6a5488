import { aroundStatements } from '../support/measured-database.ts'
import { QuoteHub } from '../../workers/edge/stream/hub.ts'
import type { CycleEnv } from '../../workers/scraper/cycle.ts'
import type { Board } from '../../shared/board/board.ts'
import type { Instant } from '../../shared/argentine-time.ts'
import { env } from '../support/env.ts'

/** The steps of a cycle that finds a change, in order: D1 round trips and KV writes. */
export const STEPS = [
  'the opening in D1',
  'the first document',
  'the alerts in D1',
  'the batch in D1',
  'the board in KV',
  'the streams',
  'the last day, read from D1',
  'the last day in KV',
  'the end in D1',
] as const

export type Step = (typeof STEPS)[number]

/** The D1 round trips of a cycle, in order. */
const CHANGE = STEPS.filter((step) => step.endsWith('D1'))
const QUIET = CHANGE.filter((step) => !/alerts|last day/.test(step))

export interface Interruption {
  step: Step
  when: 'before' | 'after'
  meanwhile: () => Promise<unknown>
}

/** The boards that the open streams have received. */
export function openHub(now: () => Instant) {
  const hub = new QuoteHub()
  const publish = async (board: Board) => hub.publish(board, now())
  return { hub, QUOTE_STREAM: { getByName: () => ({ publish }) } }
}

/** The real bindings, and an action that runs once before or after one step of the cycle. */
export function steppedEnv(
  { step: asked, when, meanwhile }: Interruption,
  { QUOTE_STREAM }: Pick<ReturnType<typeof openHub>, 'QUOTE_STREAM'>,
) {
  let interrupted = false
  const around = async <Result>(step: Step, run: () => Promise<Result>): Promise<Result> => {
    const isIt = step === asked && !interrupted
    if (isIt) interrupted = true
    if (isIt && when === 'before') await meanwhile()
    const result = await run()
    if (isIt && when === 'after') await meanwhile()
    return result
  }
  let trips = 0
  let steps = CHANGE
  const steppedEnv: CycleEnv = {
    ...env,
    DB: aroundStatements(env.DB, (statements, execute) => {
      // Only a cycle that finds a change reads the alerts, by one statement.
      if (++trips === 2) steps = statements.length === 1 ? CHANGE : QUIET
      const [step, run] = [steps[trips - 1], () => execute(statements)]
      return step ? around(step, run) : run()
    }),
    BOARD: {
      put: (key: string, value: string) =>
        around(key === 'board' ? 'the board in KV' : 'the last day in KV', () =>
          env.BOARD.put(key, value),
        ),
    },
    QUOTE_STREAM: {
      getByName: () => ({
        publish: (board: Board) =>
          around('the streams', () => QUOTE_STREAM.getByName().publish(board)),
      }),
    },
  }
  return {
    env: steppedEnv,
    fetch:
      (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      (...request) =>
        around('the first document', () => fetch(...request)),
    wasInterrupted: () => interrupted,
  }
}
