/**
 * What was asked before of a closed day, asked again, beside a current read of the same Worker. All
 * of it is answered from the isolate's memory.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { cachedOf, CLOSED_DAY_MAX_AGE } from '../../../workers/edge/http/cacheable.ts'
import { KeptResponses } from '../../../workers/edge/past/kept-past.ts'
import { bundle } from '../../operate/deploy/bundle.ts'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type BenchOptions, type Figure, figure, median, rounded } from './bench.ts'
import {
  askForASecond,
  served,
  startWorkerd,
  type Target,
  untilAnswered,
} from './edge/raw-workerd.ts'
import { CLOSED_DAY } from './edge/workerd-config.ts'
import { cpuOf } from './startup/workerd-start.ts'

const ROUNDS = 9
const CONNECTIONS = 32
/** More answers about one pair than are kept. */
const DISTINCT = 12_000
/** Characters of an answer about one pair. */
const BODY_LENGTH = 250
const MEGABYTE = 1e6

const CURRENT = '/api/v2/usd/blue'
const CLOSED = `/api/v2/date/${CLOSED_DAY}`
/** What is asked, and its name; each read with the least part of a current read's rate. */
const READS: readonly { name: string; path: string; conditional?: true; atLeast?: number }[] = [
  { name: 'current read', path: CURRENT },
  { name: 'current read, 304', path: CURRENT, conditional: true },
  { name: 'closed day, one pair', path: `${CLOSED}/usd/blue`, atLeast: 0.7 },
  {
    name: 'closed day, one pair, 304',
    path: `${CLOSED}/usd/blue`,
    conditional: true,
    atLeast: 0.7,
  },
  { name: 'closed day, one pair, a time', path: `${CLOSED}/usd/blue?time=12:00`, atLeast: 0.7 },
  { name: 'closed day, one pair, CSV', path: `${CLOSED}/usd/blue?format=csv` },
  { name: 'closed day, 19 pairs', path: CLOSED },
  {
    name: 'conversion at a date',
    path: `/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue&date=${CLOSED_DAY}`,
  },
]
/** A 304 is measured beside a current 304, all else beside a current read. */
const besideOf = (conditional: boolean | undefined) => (conditional ? READS[1]! : READS[0]!).name
/** Processor time of a read about the past over a current read's. */
const MOST_CPU = 2

export const past: Bench = {
  name: 'past',
  summary: 'what was asked before of a closed day, beside current reads, and its memory',
  method:
    `${ROUNDS} rounds; in each, 1 s of \`wrk -t1 -c${CONNECTIONS}\` for each read of one raw workerd, in turn; ` +
    'a limiter that refuses nobody stands for the platform’s. Rates and processor time (of the ' +
    'process, all threads) are medians, ratios the median of the ratios of each round. Heap: of Node, after a ' +
    `collection, before and after ${DISTINCT} answers are kept`,
  run: benchPast,
}

interface Spent {
  perSecond: number
  /** Microseconds of processor time, one read. */
  cpu: number
}

async function benchPast({ progress }: BenchOptions): Promise<Figure[]> {
  using scratch = openScratch()
  bundle('edge', scratch.path)
  const edge = await served('edge', 'index.js')
  const server = startWorkerd(scratch.path, [edge])
  try {
    await untilAnswered({ port: edge.port, path: CURRENT })
    return [...figuresOf(await measure(edge.port, server.pid!, progress)), memoryOfKept()]
  } finally {
    server.kill()
  }
}

async function measure(
  port: number,
  pid: number,
  progress: (text: string) => void,
): Promise<Map<string, Spent[]>> {
  const targets = new Map<string, Target>()
  for (const { name, path, conditional } of READS) {
    await untilAnswered({ port, path })
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    const header = conditional ? `If-None-Match: ${headers.get('etag')}` : null
    targets.set(name, { port, path, header })
  }
  const rounds = new Map<string, Spent[]>([...targets.keys()].map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, target] of targets) {
      const before = cpuOf(pid)
      const { answers, perSecond } = askForASecond(target, CONNECTIONS)
      rounds.get(name)!.push({ perSecond, cpu: ((cpuOf(pid) - before) * 1000) / answers })
    }
    progress(`round ${round + 1} of ${ROUNDS}`)
  }
  return rounds
}

function figuresOf(rounds: ReadonlyMap<string, Spent[]>): Figure[] {
  const ratio = (name: string, other: string, of: keyof Spent) =>
    rounded(
      median(rounds.get(name)!.map((spent, round) => spent[of] / rounds.get(other)![round]![of])),
    )
  return [
    ...READS.flatMap(({ name }) => {
      const of = (key: keyof Spent) => median(rounds.get(name)!.map((spent) => spent[key]))
      return [
        figure(`${name}: answers`, Math.round(of('perSecond')), '/s'),
        figure(`${name}: processor time`, rounded(of('cpu')), 'µs'),
      ]
    }),
    ...READS.slice(2).flatMap(({ name, conditional, atLeast }) => {
      const beside = besideOf(conditional)
      return [
        figure(
          `${name} over ${beside}`,
          ratio(name, beside, 'perSecond'),
          '×',
          atLeast === undefined ? {} : { atLeast },
        ),
        figure(`${name}: processor time over it`, ratio(name, beside, 'cpu'), '×', {
          atMost: MOST_CPU,
        }),
      ]
    }),
  ]
}

/** What the heap grows by until no more answers about one pair are kept. */
function memoryOfKept(): Figure {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapAfterCollection = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const responses = new KeptResponses()
  const before = heapAfterCollection()
  for (let number = 0; number < DISTINCT; number++) {
    const path = `${CLOSED}/usd/blue?time=${new Date(number * SECOND_MS).toISOString().slice(11, 19)}`
    const body = JSON.stringify({ path, text: 'x'.repeat(BODY_LENGTH) })
    const answer = { body, contentType: 'application/json', maxAgeSeconds: CLOSED_DAY_MAX_AGE }
    responses.keep(`https://bench.test${path}`, { ...cachedOf(answer), revision: 1 })
  }
  const grown = heapAfterCollection() - before
  // Used once more, so that it is not collected before.
  const kept = rounded(responses.weight / MEGABYTE)
  return figure(
    `heap of the kept answers, ${kept} MB by their own count`,
    rounded(grown / MEGABYTE),
    'MB',
    {
      atMost: 16,
    },
  )
}
