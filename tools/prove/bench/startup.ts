/**
 * The CPU that a Worker costs before its first answer: parsing its text, evaluating its modules, and
 * what the first request does for the first time. `wrangler check startup` profiles the
 * same evaluation, of a bundle that is parsed already, but with three to seven samples.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../operate/deploy/wrangler.ts'
import { DISTRIBUTED, type Target } from '../../operate/deploy/plan.ts'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type BenchOptions, type Figure, rounded } from './bench.ts'
import { CONSTANT, type Spent, type Start, startOnce } from './startup/workerd-start.ts'

const ROUNDS = 20
/** For the Workers without a budget. */
const FEW_ROUNDS = 5
const READ = '/api/v2/usd/blue'
const MAIN = 'index.js'
const COMMENT = 'comment.js'

export const startup: Bench = {
  name: 'startup',
  summary: 'CPU of each Worker before its first answer, over one that answers a constant',
  method:
    `${ROUNDS} starts of raw workerd for the edge, ${FEW_ROUNDS} for the others, in turn; the CPU time of its process, all threads, ` +
    'the lowest of the starts, less the lowest with a Worker that answers a constant and has a ' +
    'comment of the same length. Parsing: the bundle as a module that nothing imports, and its WebAssembly',
  run: benchStartup,
}

async function benchStartup({ progress }: BenchOptions): Promise<Figure[]> {
  using scratch = openScratch()
  const starts = new Map<string, { folder: string; start: Start; rounds: number }>()
  const add = (name: string, folder: string, start: Start, rounds: number) =>
    starts.set(name, { folder, start, rounds })

  for (const { env } of DISTRIBUTED) {
    const folder = join(scratch.path, env)
    mkdirSync(folder)
    progress(`bundling ${env}`)
    bundle(env, folder)
    writeFileSync(join(folder, 'constant.js'), CONSTANT)
    writeFileSync(join(folder, COMMENT), `//${'x'.repeat(statSync(join(folder, MAIN)).size)}`)
    const [rounds, asked] = env === 'edge' ? [ROUNDS, { path: READ }] : [FEW_ROUNDS, {}]
    add(`${env}, run`, folder, { file: MAIN, ...asked }, rounds)
    add(`${env}, parsed`, folder, { file: 'constant.js', beside: [MAIN] }, rounds)
    add(`${env}, constant`, folder, { file: 'constant.js', beside: [COMMENT], ...asked }, rounds)
  }

  const lowest = new Map<string, Spent>()
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, { folder, start, rounds }] of starts) {
      if (round > rounds) continue
      lowest.set(name, lower(lowest.get(name), await startOnce(folder, start)))
    }
    progress(`round ${round} of ${ROUNDS}`)
  }
  return DISTRIBUTED.flatMap(({ env }) => figuresOf(env, lowest))
}

/** The lowest start and the lowest request: other load may disturb one of the two alone. */
function lower(so: Spent | undefined, { ready, answered }: Spent): Spent {
  const request = Math.min(answered - ready, so ? so.answered - so.ready : Infinity)
  const atBest = Math.min(ready, so?.ready ?? Infinity)
  return { ready: atBest, answered: atBest + request }
}

function figuresOf(env: Target['env'], lowest: ReadonlyMap<string, Spent>): Figure[] {
  const of = (what: string) => lowest.get(`${env}, ${what}`)!
  const [run, parsed, constant] = [of('run'), of('parsed'), of('constant')]
  const parsing = parsed.ready - constant.ready
  const evaluating = run.ready - parsed.ready
  const figure = (name: string, value: number) => ({
    name: `start-up of ${env}: ${name}`,
    value: rounded(value),
    unit: 'ms',
  })
  const start = [figure('parsing', parsing), figure('evaluating', evaluating)]
  if (env !== 'edge') return start

  const answering = run.answered - run.ready - (constant.answered - constant.ready)
  return [
    ...start,
    figure('first answer', answering),
    { ...figure('in all', parsing + evaluating + answering), atMost: 9 },
  ]
}
