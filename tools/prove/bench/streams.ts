/** Event streams: the memory that one costs, and how soon a change reaches the last of many. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { BOARD_SCHEMA, type Board } from '../../../shared/board/board.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { MAX_STREAMS } from '../../../workers/edge/stream/hub.ts'
import { openScratch } from '../../support/scratch.ts'
import { memoryOf } from '../harness/memory.ts'
import { processorMsOf } from '../harness/processor-time.ts'
import { type Bench, type BenchOptions, type Figure, median, rounded } from './bench.ts'
import { heapInUse } from './streams/heap.ts'
import { openStreamServer, SOCKETS, type StreamServer } from './streams/server.ts'

/** Streams of the first part, which a small `ulimit -n` allows too. */
const FEW = 2_000
const ROUNDS = 5
/** workerd's HTTP server holds two files a connection. */
const FILES_A_STREAM = 2
const OTHER_FILES = 200
/** Of a Durable Object. */
const MEMORY_BYTES = 128 * 1024 * 1024
/** The longest that a publication may take to reach everybody. */
const PATIENCE_MS = 120_000

export const streams: Bench = {
  name: 'streams',
  summary: 'open event streams: memory of each, CPU and time of a change to the last of them',
  method:
    `the edge's bundle under raw workerd; a second process holds ${FEW} real connections to ${SOCKETS} ports, then as many of ` +
    `${MAX_STREAMS} as \`ulimit -n\` allows, each for one pair; ${ROUNDS} publications, timed from just before ` +
    'the call of the object; heap by the inspector after a collection, CPU by /proc. One process is ' +
    "the object, the edge and the HTTP server of all: on Cloudflare they are many machines'",
  run: benchStreams,
}

async function benchStreams({ progress }: BenchOptions): Promise<Figure[]> {
  const most = mostStreams(progress)
  using scratch = openScratch()
  using server = await openStreamServer(scratch.path)
  await server.publish(aBoard(Date.now()))
  const listeners = fork(join(import.meta.dirname, 'streams/listeners.ts'))
  try {
    await open(listeners, server, 10)
    const idle = { heap: await heapOf(server), resident: memoryOf(server.pid) }
    const figures: Figure[] = []
    let held = 10
    for (const count of [FEW, most]) {
      progress(`opening ${count} streams`)
      await open(listeners, server, count - held)
      held = count
      figures.push(...(await arrivals(listeners, server, count, progress)))
    }
    const heap = ((await heapOf(server)) - idle.heap) / (held - 10)
    const resident = ((memoryOf(server.pid) - idle.resident) * 2 ** 20) / (held - 10)
    return [
      ...figures,
      {
        name: 'heap of the isolate, a stream',
        value: Math.round(heap),
        unit: 'bytes',
        atMost: Math.round(MEMORY_BYTES / 4 / MAX_STREAMS),
      },
      {
        name: 'workerd with its HTTP server, a stream',
        value: Math.round(resident),
        unit: 'bytes',
      },
    ]
  } finally {
    listeners.kill()
  }
}

/** How soon publications reach `count` streams, and what they cost the runtime. */
async function arrivals(
  listeners: ChildProcess,
  server: StreamServer,
  count: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const rounds: { p50: number; p99: number; last: number; cpu: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(500)
    const at = Date.now()
    const before = processorMsOf(server.pid)
    const arrived = arrivalsOf(listeners, at, count)
    await server.publish(aBoard(at))
    const sorted = (await arrived).toSorted((a, b) => a - b)
    const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!
    const cpu = processorMsOf(server.pid) - before
    rounds.push({ p50: share(0.5), p99: share(0.99), last: share(1), cpu })
    progress(`${count} streams, publication ${round + 1}: the last after ${share(1)} ms`)
  }
  const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((each) => each[of]))
  const name = `a change to ${count} streams`
  return [
    { name: `${name}: p50`, value: middle('p50'), unit: 'ms' },
    { name: `${name}: p99`, value: middle('p99'), unit: 'ms', atMost: count === FEW ? 250 : 1_000 },
    { name: `${name}: last`, value: middle('last'), unit: 'ms' },
    { name: `${name}: CPU of workerd`, value: rounded(middle('cpu')), unit: 'ms' },
  ]
}

async function open(listeners: ChildProcess, server: StreamServer, count: number): Promise<void> {
  listeners.send({ ports: server.ports, count, pairs: 'usd/blue' })
  const [word] = (await once(listeners, 'message')) as [string]
  if (word !== 'open') throw new Error(word)
}

/** Milliseconds that a publication took to each stream; throws when one does not get it. */
async function arrivalsOf(listeners: ChildProcess, at: Instant, count: number): Promise<number[]> {
  listeners.send({ at, count })
  const [list] = (await once(listeners, 'message', {
    signal: AbortSignal.timeout(PATIENCE_MS),
  })) as [number[]]
  return list
}

/** As many as the limit of open files allows, `MAX_STREAMS` at most. */
function mostStreams(progress: (text: string) => void): number {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  const most = Number.isNaN(files) ? Infinity : Math.floor((files - OTHER_FILES) / FILES_A_STREAM)
  if (most < FEW) {
    throw new Error(
      `ulimit -n is ${files}: ${FEW} streams need ${FEW * FILES_A_STREAM + OTHER_FILES}`,
    )
  }
  if (most < MAX_STREAMS) progress(`ulimit -n is ${files}: ${most} streams of ${MAX_STREAMS}`)
  return Math.min(most, MAX_STREAMS)
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
