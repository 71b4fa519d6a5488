import { type Instant, SECOND_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { DeadlinePassed, withDeadline } from '../../../shared/deadline.ts'
import { logFailure, warn } from '../../../shared/log.ts'
import {
  emptyError,
  type FailureClass,
  SourceError,
  type Reading,
  type Source,
  type SourceRequest,
} from '../sources/source.ts'

/** What the platform provides. `now` is called once per source; `--upstream` replaces `fetch`. */
export interface CollectDeps {
  fetch: typeof fetch
  now: () => Instant
  /** Whether the documents are recordings, whose time stamps do not tell their age. */
  replayed?: boolean
  /** The limit of each try, body included; 8 seconds when absent. */
  deadlineMs?: number
  /** Notes the `Date` of each response. */
  clock?: ClockCheck
  /** Retries that the cycle has left; any number when absent. */
  retries?: { left: number }
}

/** The result of one source. */
export type SourceResult =
  | { source: string; ok: true; readings: readonly Reading[] }
  | { source: string; ok: false; failure: FailureClass }

/** A failure that is to be logged. */
interface Failed {
  source: string
  failure: FailureClass
  message: string
}

const AT_ONCE = 6
const DEADLINE_MS = 8 * SECOND_MS

/**
 * No new try begins after this time. In a network that drops everything each try takes eight
 * seconds, and the cycle must end well within its lease.
 */
const BUDGET_MS = 40 * SECOND_MS

/**
 * Requests sources, at most six at once, and parses their documents. Never throws: failed sources
 * are logged with their class of failure, never their documents, and the others go on. Results are
 * in the order of `sources`.
 */
export async function collect(
  deps: CollectDeps,
  sources: readonly Source[],
): Promise<SourceResult[]> {
  const results: SourceResult[] = []
  const failed: Failed[] = []
  const waiting = sources.entries()
  const until = deps.now() + BUDGET_MS

  async function work(): Promise<void> {
    for (const [index, source] of waiting)
      results[index] = await readSource(deps, source, until, failed)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  logFailed(failed)
  return results
}

/** Logs one line for all sources that failed alike: in an outage that is every source. */
function logFailed(failed: readonly Failed[]): void {
  const alike = Map.groupBy(failed, ({ failure, message }) => `${failure} ${message}`)
  for (const group of alike.values()) {
    const { failure, message } = group[0]!
    warn('source_failed', { failure, message, sources: group.map(({ source }) => source) })
  }
}

async function readSource(
  deps: CollectDeps,
  source: Source,
  until: Instant,
  failed: Failed[],
): Promise<SourceResult> {
  try {
    const now = deps.now()
    if (now >= until) {
      throw new SourceError('timeout', 'was not requested: the others took too long')
    }

    const request = source.request(now)
    const body = await readTwice(deps, request, until)
    const readings = parse(source, body, now, deps.replayed)
    // A document without a row still counts; the pair of that row goes to its next source.
    const rows = readings.flatMap((reading) => (reading.kind === 'missing' ? [reading.row] : []))
    if (rows.length > 0) warn('source_incomplete', { source: source.name, rows })
    return { source: source.name, ok: true, readings }
  } catch (error) {
    // Failures of the network are already SourceErrors, so anything else is our defect.
    if (!(error instanceof SourceError)) {
      logFailure('collect_broke', error, { source: source.name })
      return { source: source.name, ok: false, failure: 'internal' }
    }
    const { failure, message } = error
    failed.push({ source: source.name, failure, message })
    return { source: source.name, ok: false, failure }
  }
}

/** One try of one source, for operator tools. Throws the `SourceError` that `collect` logs. */
export async function readOnce(deps: CollectDeps, source: Source): Promise<Reading[]> {
  const now = deps.now()
  return parse(source, await read(deps, source.request(now)), now, deps.replayed)
}

/** Tries again once, only after a 5xx or a time-out: any other failure would repeat. */
async function readTwice(
  deps: CollectDeps,
  request: SourceRequest,
  until: Instant,
): Promise<string> {
  try {
    return await read(deps, request)
  } catch (error) {
    if (!(error instanceof RetriableError) || deps.now() >= until) throw error
    if (deps.retries && deps.retries.left-- <= 0) throw error
    return await read(deps, request)
  }
}

class RetriableError extends SourceError {}

/** One try, under one deadline. */
async function read(deps: CollectDeps, request: SourceRequest): Promise<string> {
  try {
    return await withDeadline(deps.deadlineMs ?? DEADLINE_MS, (signal) =>
      receive(deps, request, signal),
    )
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    throw new RetriableError('timeout', 'took too long')
  }
}

async function receive(
  { fetch, now, clock }: CollectDeps,
  { url, ...request }: SourceRequest,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(url, { ...request, signal }).catch(unreachable)
  clock?.note(new URL(url).host, response.headers, now())
  if (response.status === 200) return await readBody(response).catch(unreachable)

  await response.body?.cancel().catch(() => {})
  const Failure = response.status >= 500 ? RetriableError : SourceError
  throw new Failure('http', `answered ${response.status}`)
}

/** Errors of `fetch` and bodies differ by runtime, and their messages may contain the address. */
function unreachable(error: unknown): never {
  if (error instanceof SourceError) throw error
  throw new SourceError('network', 'did not answer')
}

/** Any other error of a parser means an unknown document. */
function parse(source: Source, body: string, now: Instant, replayed = false): Reading[] {
  try {
    return source.parse(body, now, replayed)
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError('format', 'not the document that was expected')
  }
}

const MAX_BYTES = 2 * 1024 * 1024

/**
 * The text of a response, UTF-8. Stops reading past 2 MiB. `Content-Length` does not help: it may
 * be absent, wrong, or of the compressed form.
 */
async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BYTES) throw new SourceError('too_large', 'is over 2 MiB')

    text += decoder.decode(chunk, { stream: true })
  }
  text += decoder.decode()
  if (text.trim() === '') throw emptyError('is empty')

  return text
}

/** A cycle whose clock is further off records nothing. */
const MOST_OFF_MS = 2 * MINUTE_MS

/** With fewer hosts a single wrong clock could decide. */
const LEAST_HOSTS = 3

export type ClockCheck = ReturnType<typeof createClockCheck>

export function createClockCheck() {
  const aheadOf = new Map<string, number>()

  return {
    /** Notes a response of `host` at `now`. */
    note(host: string, headers: Headers, now: Instant): void {
      const date = Date.parse(headers.get('Date') ?? '')
      // A response from a cache is older by its `Age`.
      const age = Number(headers.get('Age') ?? 0) * SECOND_MS
      const ahead = now - date - age
      if (Number.isFinite(ahead)) aheadOf.set(host, ahead)
    },

    /** How far this clock is ahead of the hosts' median, in ms; null with too few hosts. */
    ahead(): number | null {
      if (aheadOf.size < LEAST_HOSTS) return null
      const sorted = [...aheadOf.values()].toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)]!
    },
  }
}

/**
 * Whether a cycle at `at` must record nothing: its clock is more than two minutes off or, with too
 * few hosts to tell, it is not later than the last cycle.
 */
export function isClockWrong(
  ahead: number | null,
  { at, last }: { at: Instant; last: Instant | undefined },
): boolean {
  if (ahead !== null) return Math.abs(ahead) > MOST_OFF_MS
  return last !== undefined && at <= last
}
