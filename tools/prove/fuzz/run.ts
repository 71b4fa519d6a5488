import { Findings } from '../harness/findings.ts'
import { requestsOf } from './grammar/requests.ts'
import { fillRequest, type FuzzRequest, headerOf, type SentRequest } from './request.ts'
import { isHttp } from './oracle/checked-request.ts'
import { checkExchange, compareHead } from './oracle/oracle.ts'
import { Counts } from '../harness/counts.ts'
import type { WireAnswer } from './wire/read-answer.ts'
import { type Exchange, exchange } from './wire/wire.ts'
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
  const { fixtures, requests, from = 1, seed, concurrency, progress } = options
  const run: Run = { ...options, tally: new Tally(), findings: new Findings(progress) }
  const stream = requestsOf(seed, requests, from)
  const sent = { number: from - 1 }

  while (sent.number < requests) {
    const until = Math.min(requests, sent.number + STRETCH)
    await Promise.all(Array.from({ length: concurrency }, () => work(until)))
    await fixtures.revive()
    if (sent.number % PROGRESS_EVERY === 0 || sent.number === requests)
      progress(
        `${sent.number} of ${requests} requests, ${run.findings.list().length} kinds of findings`,
      )
  }
  return run

  async function work(until: number): Promise<void> {
    while (sent.number < until) {
      const mine = ++sent.number
      const next = stream.next()
      if (next.done) return
      await sendOne(run, next.value, mine)
    }
  }
}

async function sendOne(run: Run, request: FuzzRequest, number: number): Promise<void> {
  const { fixtures, tally } = run
  const send = (sent: SentRequest) => exchange(Number(new URL(run.url).port), sent)
  const sent = fillRequest(request, fixtures.fillerOf(request))
  const result = await send(sent)
  const { problems, ofRuntime } = checkExchange(request, sent, result)
  const answered = result.kind === 'failed' ? 'none' : result.answer.status
  const asIs = request.changes.length === 0
  tally.count(request.route, asIs, ofRuntime ? 'runtime' : answered, result.ms)
  report(run, { request, sent, result, number }, problems)
  if (result.kind === 'failed') return

  fixtures.learn(request, sent.target, result.answer)
  if (sent.method === 'GET' && number % TWIN_EVERY === 0 && isHttp(sent)) {
    const asHead = { ...sent, method: 'HEAD' }
    const head = await send(asHead)
    const odd = await oddHead(() => send(sent), result.answer, head)
    report(run, { request, sent: asHead, result: head, number }, odd)
  }
}

function report(
  { seed, findings }: Run,
  of: { request: FuzzRequest; sent: SentRequest; result: Exchange; number: number },
  problems: readonly string[],
): void {
  const { request, sent, result, number } = of
  for (const problem of problems)
    findings.add(`${request.route}: ${problem}`, () =>
      [
        `request ${number} of seed ${seed}, changed: ${request.changes.join(', ') || 'nothing'}`,
        describeRequest(sent),
        describe(result),
      ].join('\n'),
    )
}

/** How HEAD differs from GET. A change by another request between the two does not count. */
async function oddHead(getAgain: () => Promise<Exchange>, get: WireAnswer, head: Exchange) {
  if (head.kind === 'failed') return [`HEAD: ${head.why}`]
  const odd = compareHead(get, head.answer)
  if (odd.length === 0) return odd

  const again = await getAgain()
  return again.kind === 'answered' ? compareHead(again.answer, head.answer) : odd
}

/** A request in one line, its bytes as Latin-1; long ones are cut. */
function describeRequest({ body, ...request }: SentRequest): string {
  const text = body && Buffer.from(body).toString('latin1')
  return JSON.stringify({ ...request, body: text }).slice(0, SHOWN_REQUEST)
}

function describe(result: Exchange): string {
  if (result.kind === 'failed') return `after ${Math.round(result.ms)} ms: ${result.why}`
  const { status, headers, body } = result.answer
  const type = headerOf(headers, 'content-type') ?? 'no type'
  return `${status}, ${type}: ${body.toString().slice(0, SHOWN_BODY)}`
}

/** How many requests of each route were sent, and how they were answered. */
class Tally {
  readonly #rows = new Map<string, Counts>()

  count(route: string, asIs: boolean, answered: number | 'runtime' | 'none', ms: number): void {
    for (const name of [route, 'all']) {
      const row = this.#rows.get(name) ?? new Counts()
      this.#rows.set(name, row)
      row.add('sent')
      if (asIs) row.add('as is')
      row.add(String(answered))
      row.raise('slowest ms', Math.round(ms))
    }
  }

  /** A row for each route, in the order of the names, and their sum. */
  table(names: readonly string[]): Record<string, Record<string, number>> {
    const rows = [...names, 'all'].flatMap((name) => {
      const row = this.#rows.get(name)
      return row ? [[name, row.toJSON()] as const] : []
    })
    return Object.fromEntries(rows)
  }
}
