import { toCurl } from './curl.ts'
import { Findings } from '../harness/findings.ts'
import { requestsOf } from './grammar/requests.ts'
import { fillRequest, type FuzzRequest, headerOf, type SentRequest } from './request.ts'
import { isHttp } from './oracle/asked.ts'
import { judge, judgeHead } from './oracle/oracle.ts'
import { Tally } from './tally.ts'
import type { WireAnswer } from './wire/read-answer.ts'
import { type Exchange, Wire } from './wire/wire.ts'
import type { World } from './world/world.ts'

export interface RunOptions {
  url: string
  world: World
  requests: number
  /** The number of the first; 1 when absent. */
  from?: number
  seed: number
  concurrency: number
  progress: (line: string) => void
}

/** Every so many requests the world is mended, and a line is printed. */
const TOLD_EVERY = 5000
const STRETCH = 1000
/** One of so many GETs is asked again as HEAD. */
const TWIN_EVERY = 5
const SHOWN_BODY = 300

/** Sends the requests of a seed and holds every answer against the contract. */
export async function runRequests(
  options: RunOptions,
): Promise<{ tally: Tally; findings: Findings }> {
  const { url, world, requests, from = 1, seed, concurrency, progress } = options
  const tally = new Tally()
  const findings = new Findings(progress)
  const stream = requestsOf(seed, requests, from)
  const wires = Array.from({ length: concurrency }, () => new Wire(Number(new URL(url).port)))
  const at = { number: from - 1 }

  while (at.number < requests) {
    const until = Math.min(requests, at.number + STRETCH)
    await Promise.all(wires.map((wire) => work(wire, until)))
    await world.revive()
    if (at.number % TOLD_EVERY === 0 || at.number === requests)
      progress(`${at.number} of ${requests} requests, ${findings.list().length} kinds of findings`)
  }
  for (const wire of wires) wire.close()
  return { tally, findings }

  async function work(wire: Wire, until: number): Promise<void> {
    while (at.number < until) {
      at.number += 1
      const mine = at.number
      const next = stream.next()
      if (next.done) return
      await sendOne(wire, next.value, mine)
    }
  }

  async function sendOne(wire: Wire, request: FuzzRequest, mine: number): Promise<void> {
    const sent = fillRequest(request, world.fillerOf(request))
    const exchange = await wire.exchange(sent)
    const { problems, ofRuntime } = judge(request, sent, exchange)
    const answered = exchange.kind === 'failed' ? 'none' : exchange.answer.status
    tally.count(
      request.route,
      request.changes.length === 0,
      ofRuntime ? 'runtime' : answered,
      exchange.ms,
    )
    // A line break within a header is the end of the request: the rest would be read as another.
    if (!isHttp(sent)) wire.close()
    if (exchange.kind === 'answered') world.learn(request, sent.target, exchange.answer)
    for (const problem of problems) report(problem, request, sent, exchange, mine)

    if (
      sent.method === 'GET' &&
      mine % TWIN_EVERY === 0 &&
      exchange.kind === 'answered' &&
      isHttp(sent)
    ) {
      const asHead = { ...sent, method: 'HEAD' }
      const head = await wire.exchange(asHead)
      const odd = await oddHead(wire, sent, exchange.answer, head)
      for (const problem of odd) report(problem, request, asHead, head, mine)
    }
  }

  function report(
    problem: string,
    request: FuzzRequest,
    sent: SentRequest,
    exchange: Exchange,
    mine: number,
  ): void {
    findings.add(`${request.route}: ${problem}`, () =>
      [
        `request ${mine} of seed ${seed}, changed: ${request.changes.join(', ') || 'nothing'}`,
        toCurl(url, sent),
        describe(exchange),
      ].join('\n'),
    )
  }
}

/** What HEAD has of its own; not what somebody else changed between the two. */
async function oddHead(wire: Wire, sent: SentRequest, get: WireAnswer, head: Exchange) {
  if (head.kind === 'failed') return [`HEAD: ${head.why}`]
  const odd = judgeHead(get, head.answer)
  if (odd.length === 0) return odd

  const again = await wire.exchange(sent)
  return again.kind === 'answered' ? judgeHead(again.answer, head.answer) : odd
}

function describe(exchange: Exchange): string {
  if (exchange.kind === 'failed') return `after ${Math.round(exchange.ms)} ms: ${exchange.why}`
  const { status, headers, body } = exchange.answer
  const type = headerOf(headers, 'content-type') ?? 'no type'
  return `${status}, ${type}: ${body.toString().slice(0, SHOWN_BODY)}`
}
