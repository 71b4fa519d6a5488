import { Findings } from '../harness/findings.ts'
import { requestsOf } from './grammar/requests.ts'
import { fillRequest, type FuzzRequest, headerOf, type SentRequest } from './request.ts'
import { isHttp } from './oracle/checked-request.ts'
import { checkExchange, compareHead } from './oracle/oracle.ts'
import { Tally } from './tally.ts'
import type { WireAnswer } from './wire/read-answer.ts'
import { type Exchange, Wire } from './wire/wire.ts'
import type { Fixtures } from './fixtures/fixtures.ts'

export interface RunOptions {
  url: string
  fixtures: Fixtures
  requests: number
  from?: number
  seed: number
  concurrency: number
  progress: (line: string) => void
}

/** Requests between two lines of progress, and between two looks for ended sessions. */
const PROGRESS_EVERY = 5000
const STRETCH = 1000
/** One of so many GETs is repeated as HEAD. */
const TWIN_EVERY = 5
const SHOWN_BODY = 300
const SHOWN_REQUEST = 2000

interface Run extends RunOptions {
  tally: Tally
  findings: Findings
}

/** Sends the requests of a seed and holds every answer against the contract. */
export async function runRequests(
  options: RunOptions,
): Promise<{ tally: Tally; findings: Findings }> {
  const { url, fixtures, requests, from = 1, seed, concurrency, progress } = options
  const run: Run = { ...options, tally: new Tally(), findings: new Findings(progress) }
  const stream = requestsOf(seed, requests, from)
  const wires = Array.from({ length: concurrency }, () => new Wire(Number(new URL(url).port)))
  const sent = { number: from - 1 }

  while (sent.number < requests) {
    const until = Math.min(requests, sent.number + STRETCH)
    await Promise.all(wires.map((wire) => work(wire, until)))
    await fixtures.revive()
    if (sent.number % PROGRESS_EVERY === 0 || sent.number === requests)
      progress(
        `${sent.number} of ${requests} requests, ${run.findings.list().length} kinds of findings`,
      )
  }
  for (const wire of wires) wire.close()
  return run

  async function work(wire: Wire, until: number): Promise<void> {
    while (sent.number < until) {
      const mine = ++sent.number
      const next = stream.next()
      if (next.done) return
      await sendOne(run, wire, next.value, mine)
    }
  }
}

async function sendOne(run: Run, wire: Wire, request: FuzzRequest, number: number): Promise<void> {
  const { fixtures, tally } = run
  const sent = fillRequest(request, fixtures.fillerOf(request))
  const exchange = await wire.exchange(sent)
  const { problems, ofRuntime } = checkExchange(request, sent, exchange)
  const answered = exchange.kind === 'failed' ? 'none' : exchange.answer.status
  const asIs = request.changes.length === 0
  tally.count(request.route, asIs, ofRuntime ? 'runtime' : answered, exchange.ms)
  // A line break within a header is the end of the request: the rest would be read as another.
  if (!isHttp(sent)) wire.close()
  report(run, { request, sent, exchange, number }, problems)
  if (exchange.kind === 'failed') return

  fixtures.learn(request, sent.target, exchange.answer)
  if (sent.method === 'GET' && number % TWIN_EVERY === 0 && isHttp(sent)) {
    const asHead = { ...sent, method: 'HEAD' }
    const head = await wire.exchange(asHead)
    const odd = await oddHead(wire, sent, exchange.answer, head)
    report(run, { request, sent: asHead, exchange: head, number }, odd)
  }
}

function report(
  { seed, findings }: Run,
  sending: { request: FuzzRequest; sent: SentRequest; exchange: Exchange; number: number },
  problems: readonly string[],
): void {
  const { request, sent, exchange, number } = sending
  for (const problem of problems)
    findings.add(`${request.route}: ${problem}`, () =>
      [
        `request ${number} of seed ${seed}, changed: ${request.changes.join(', ') || 'nothing'}`,
        describeRequest(sent),
        describe(exchange),
      ].join('\n'),
    )
}

/** How HEAD differs from GET. A change by another request between the two does not count. */
async function oddHead(wire: Wire, sent: SentRequest, get: WireAnswer, head: Exchange) {
  if (head.kind === 'failed') return [`HEAD: ${head.why}`]
  const odd = compareHead(get, head.answer)
  if (odd.length === 0) return odd

  const again = await wire.exchange(sent)
  return again.kind === 'answered' ? compareHead(again.answer, head.answer) : odd
}

/** A request in one line, its bytes as Latin-1; long ones are cut. */
function describeRequest({ body, ...request }: SentRequest): string {
  const text = body && Buffer.from(body).toString('latin1')
  return JSON.stringify({ ...request, body: text }).slice(0, SHOWN_REQUEST)
}

function describe(exchange: Exchange): string {
  if (exchange.kind === 'failed') return `after ${Math.round(exchange.ms)} ms: ${exchange.why}`
  const { status, headers, body } = exchange.answer
  const type = headerOf(headers, 'content-type') ?? 'no type'
  return `${status}, ${type}: ${body.toString().slice(0, SHOWN_BODY)}`
}
