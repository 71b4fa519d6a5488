/** Event streams: the memory that one costs, and how soon a change reaches the last of many. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from 'simple-statistics'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { BOARD_SCHEMA, type Board } from '../../../shared/board/board.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { MAX_STREAMS } from '../../../workers/edge/stream/hub.ts'
import { openScratch } from '../../support/scratch.ts'
import { memoryOf } from '../harness/memory.ts'
import { processorMsOf } from '../harness/processor-time.ts'
import { type Bench, type BenchOptions, type Figure, figure, median, rounded } from './bench.ts'
import { heapInUse } from './streams/heap.ts'
import { openStreamServer, SOCKETS, type StreamServer } from './streams/server.ts'

const FEW = 10
const STREAMS = 2_000
const ROUNDS = 5
/** workerd's HTTP server holds two files a connection. */
const FILES = 2 * STREAMS + 200
/** Of a Durable Object. */
const MEMORY_BYTES = 128 * 1024 * 1024
/** The longest that a publication may take to reach everybody. */
const PATIENCE_MS = 120_000

export const streams: Bench = {
  name: 'streams',
  summary: 'open event streams: memory of each, CPU and time of a change to the last of them',
  method:
    `the edge's bundle under raw workerd; a second process holds ${STREAMS} real connections to ${SOCKETS} ports, ` +
    `each for one pair; ${ROUNDS} publications, timed from just before ` +
    'the call of the object; heap by the inspector after a collection, CPU by /proc. One process is ' +
    "the object, the edge and the HTTP server of all: on Cloudflare they are many machines'",
  run: benchStreams,
}

async function benchStreams({ progress }: BenchOptions): Promise<Figure[]> {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  if (files < FILES) throw new Error(`ulimit -n is ${files}: ${STREAMS} streams need ${FILES}`)
  using scratch = openScratch()
  using server = await openStreamServer(scratch.path)
  await server.publish(aBoard(Date.now()))
  const listeners = fork(join(import.meta.dirname, 'streams/listeners.ts'))
  try {
    await open(listeners, server, FEW)
    const idle = { heap: await heapOf(server), resident: memoryOf(server.pid) }
    progress(`opening ${STREAMS} streams`)
    await open(listeners, server, STREAMS - FEW)
    const figures = await arrivals(listeners, server, progress)
    const heap = ((await heapOf(server)) - idle.heap) / (STREAMS - FEW)
    const resident = ((memoryOf(server.pid) - idle.resident) * 2 ** 20) / (STREAMS - FEW)
    return [
      ...figures,
      figure('heap of the isolate, a stream', Math.round(heap), 'bytes', {
        atMost: Math.round(MEMORY_BYTES / 4 / MAX_STREAMS),
      }),
      figure('workerd with its HTTP server, a stream', Math.round(resident), 'bytes'),
    ]
  } finally {
    listeners.kill()
  }
}

/** How soon publications reach every stream, and what they cost the runtime. */
async function arrivals(
  listeners: ChildProcess,
  server: StreamServer,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const rounds: { p50: number; p99: number; last: number; cpu: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    await sleep(500)
    const at = Date.now()
    const before = processorMsOf(server.pid)
    const arrived = arrivalsOf(listeners, at)
    await server.publish(aBoard(at))
    const all = await arrived
    const cpu = processorMsOf(server.pid) - before
    const last = Math.max(...all)
    rounds.push({ p50: quantile(all, 0.5), p99: quantile(all, 0.99), last, cpu })
    progress(`publication ${round}: the last after ${last} ms`)
  }
  const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((each) => each[of]))
  const name = `a change to ${STREAMS} streams`
  return [
    figure(`${name}: p50`, middle('p50'), 'ms'),
    figure(`${name}: p99`, middle('p99'), 'ms', { atMost: 250 }),
    figure(`${name}: last`, middle('last'), 'ms'),
    figure(`${name}: CPU of workerd`, rounded(middle('cpu')), 'ms'),
  ]
}

async function open(listeners: ChildProcess, { ports }: StreamServer, count: number) {
  listeners.send({ ports, count })
  const [text] = (await once(listeners, 'message')) as [string]
  if (text !== 'open') throw new Error(text)
}

/** Milliseconds that a publication took to each stream; throws when one does not get it. */
async function arrivalsOf(listeners: ChildProcess, at: Instant): Promise<number[]> {
  listeners.send({ at })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const [list] = (await once(listeners, 'message', { signal })) as [number[]]
  return list
}

/** Every pair changed at that instant. */
function aBoard(at: Instant): Board {
  return {
    schema: BOARD_SCHEMA,
    generatedAt: at,
    everySeconds: 300,
    mode: 'live',
    sources: [],
    anySourceAnswered: true,
    quotes: PAIRS.map(({ currency, origin, name, valueType }) => ({
      currency,
      name,
      origin,
      buy: 1410,
      sell: 1430,
      updatedAt: formatArgentine(at),
      lastScrapedAt: formatArgentine(at),
      valueType,
      referenceSell: 1400,
      source: 'bench',
      held: false,
    })),
  }
}

const heapOf = ({ inspectorPort }: StreamServer) => heapInUse(inspectorPort, 'edge')
