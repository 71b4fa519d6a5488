/**
 * Measures reads of current values and of a closed day under raw `workerd serve`, relative to
 * Workers that answer constants. All run in one runtime and take turns, so that noise affects all.
 */
import { writeFileSync } from 'node:fs'
import { bundle } from '../../operate/deploy/wrangler.ts'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type Figure, median, rounded } from './report.ts'
import {
  CLOSED_DAY,
  requestsOfASecond,
  type Served,
  served,
  startWorkerd,
  untilAnswered,
} from './workerd.ts'

const ROUNDS = 9

interface Case {
  name: string
  path: string
  /** The minimum ratio of the edge's request rate to the rate of the constant answer. */
  atLeast: number
  /** The constant answer has only `Content-Type`, without the edge's other headers. */
  typeAlone?: true
}

const BLUE = '/api/v2/usd/blue'
const DAY = `/api/v2/date/${CLOSED_DAY}`

/** Closed days were already requested once, so the isolate answers them from memory. */
const CASES: readonly Case[] = [
  { name: 'one pair', path: BLUE, atLeast: 0.85, typeAlone: true },
  { name: 'one pair, same bytes', path: BLUE, atLeast: 0.92 },
  { name: '19 pairs', path: '/api/v2/quotes', atLeast: 0.9 },
  { name: 'closed day, one pair', path: `${DAY}/usd/blue`, atLeast: 0.75 },
  { name: 'closed day, 19 pairs', path: DAY, atLeast: 0.75 },
]

export const edge: Bench = {
  name: 'edge',
  method:
    'current reads and closed days under raw workerd, relative to a constant answer; each of ' +
    `${ROUNDS} rounds loads all in turn with \`wrk -t1 -c16\` for 1 s; a ratio is the median of the rounds`,
  run: benchEdge,
}

async function benchEdge(progress: (line: string) => void): Promise<Figure[]> {
  using scratch = openScratch()
  bundle('edge', scratch.path)
  const worker = await served('edge', 'index.js')
  const sources = await constantsOf(scratch.path, worker)
  const constants = await Promise.all(
    sources.map(async (source, index) => {
      writeFileSync(scratch.file(`constant${index}.js`), source)
      return served(`constant${index}`, `constant${index}.js`)
    }),
  )
  const server = startWorkerd(scratch.path, [worker, ...constants])
  try {
    const over: number[][] = CASES.map(() => [])
    for (const { path } of CASES) await untilAnswered(worker.port, path)
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [index, { path }] of CASES.entries()) {
        const constant = requestsOfASecond(constants[index]!.port, path)
        over[index]!.push(requestsOfASecond(worker.port, path) / constant)
      }
      progress(`round ${round} of ${ROUNDS}`)
    }
    return CASES.map(({ name, atLeast }, index) => ({
      name: `edge over a constant answer, ${name}`,
      value: rounded(median(over[index]!)),
      unit: '×',
      atLeast,
    }))
  } finally {
    server.kill()
  }
}

/** For each case, the source of a Worker that always gives the edge's answer as a constant. */
async function constantsOf(folder: string, worker: Served): Promise<string[]> {
  const server = startWorkerd(folder, [worker])
  try {
    await untilAnswered(worker.port, BLUE)
    return await Promise.all(
      CASES.map(async ({ path, typeAlone }) => {
        const response = await fetch(`http://127.0.0.1:${worker.port}${path}`)
        const headers = typeAlone
          ? { 'content-type': 'application/json' }
          : ownHeaders(response.headers)
        return `const body = ${JSON.stringify(await response.text())}
const headers = ${JSON.stringify(headers)}
export default { fetch: () => new Response(body, { headers }) }`
      }),
    )
  } finally {
    server.kill()
  }
}

/** The headers that the Worker sets, without those of its server. */
function ownHeaders(headers: Headers): Record<string, string> {
  const ofServer = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries([...headers].filter(([name]) => !ofServer.includes(name)))
}
