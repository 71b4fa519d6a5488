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

/** What the platform provides. The option `--upstream` replaces `fetch`. */
export interface CollectDeps {
  fetch: typeof fetch
  now: () => Instant
  /** Whether the documents are recordings: their time stamps then do not show their age. */
  replayed?: boolean
  /** The time limit of each try, body included; 8 seconds when absent. */
  deadlineMs?: number
  /** Notes the `Date` of each response. */
  clock?: ClockCheck
  /** Retries that the cycle has left; any number when absent. */
  retries?: { left: number }
}

export type SourceResult =
  | { source: string; ok: true; readings: readonly Reading[] }
  | { source: string; ok: false; failure: FailureClass }

const AT_ONCE = 6
const DEADLINE_MS = 8 * SECOND_MS

/**
 * No new try begins after this time, because the cycle must end well within its lease. If the
 * network drops everything, each try takes eight seconds.
 */
const BUDGET_MS = 40 * SECOND_MS

/**
 * Requests sources, at most six at once, and parses their documents. Never throws: it logs the
 * class of each failure, never the document, and goes on with the other sources. Results are in the
 * order of `sources`.
 */
export async function collect(
  deps: CollectDeps,
  sources: readonly Source[],
): Promise<SourceResult[]> {
  const results: SourceResult[] = []
  const failed: { source: string; error: SourceError }[] = []
  const waiting = sources.entries()
  const until = deps.now() + BUDGET_MS

  async function work(): Promise<void> {
    for (const [index, source] of waiting) {
      const { name } = source
      try {
        const readings = await readSource(deps, source, until)
        results[index] = { source: name, ok: true, readings }
      } catch (error) {
        const isKnown = error instanceof SourceError
        if (isKnown) failed.push({ source: name, error })
        // Failures of the network are SourceErrors, so any other error is a defect of ours.
        else logFailure('collect_broke', error, { source: name })
        results[index] = { source: name, ok: false, failure: isKnown ? error.failure : 'internal' }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))

  // One line for all sources with the same failure: in an outage every source fails.
  const alike = Map.groupBy(failed, ({ error }) => `${error.failure} ${error.message}`)
  for (const group of alike.values()) {
    const { failure, message } = group[0]!.error
    warn('source_failed', { failure, message, sources: group.map(({ source }) => source) })
  }
  return results
}

/** Tries again once, after a 5xx or a time-out only: any other failure would happen again. */
async function readSource(deps: CollectDeps, source: Source, until: Instant): Promise<Reading[]> {
  if (deps.now() >= until)
    throw new SourceError('timeout', 'was not requested: the others took too long')

  const readings = await readOnce(deps, source).catch((error: unknown) => {
    if (!(error instanceof RetriableError) || deps.now() >= until) throw error
    if (deps.retries && deps.retries.left-- <= 0) throw error
    return readOnce(deps, source)
  })
  // A document that lacks a row still counts. The pair of the row uses its next source.
  const rows = readings.flatMap((reading) => (reading.kind === 'missing' ? [reading.row] : []))
  if (rows.length > 0) warn('source_incomplete', { source: source.name, rows })
  return readings
}

/** Requests a source once. Throws the `SourceError` that `collect` logs. */
export async function readOnce(deps: CollectDeps, source: Source): Promise<Reading[]> {
  const now = deps.now()
  const body = await read(deps, source.request(now))
  try {
    return source.parse(body, now, deps.replayed ?? false)
  } catch (error) {
    if (error instanceof SourceError) throw error
    // Any other error of a parser means an unknown document.
    throw new SourceError('format', 'not the document that was expected')
  }
}

class RetriableError extends SourceError {}

/** Reads the body of a document within the deadline. */
async function read(
  { fetch, now, clock, deadlineMs = DEADLINE_MS }: CollectDeps,
  { url, ...request }: SourceRequest,
): Promise<string> {
  try {
    return await withDeadline(deadlineMs, async (signal) => {
      const response = await fetch(url, { ...request, signal })
      clock?.note(new URL(url).host, response.headers, now())
      if (response.status === 200) return await readBody(response)

      await response.body?.cancel().catch(() => {})
      const Failure = response.status >= 500 ? RetriableError : SourceError
      throw new Failure('http', `answered ${response.status}`)
    })
  } catch (error) {
    if (error instanceof SourceError) throw error
    if (error instanceof DeadlinePassed) throw new RetriableError('timeout', 'took too long')
    // Errors of `fetch` and bodies differ by runtime, and their messages may contain the address.
    throw new SourceError('network', 'did not answer')
  }
}

const MAX_BYTES = 2 * 1024 * 1024

/**
 * The text of a response, UTF-8. Stops reading after 2 MiB. `Content-Length` does not help, because
 * it may be absent, wrong, or the length of the compressed body.
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

/** If the clock is wrong by more, the cycle records nothing. */
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
      // A cached response was made `Age` seconds after its `Date`.
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
 * Whether a cycle at `at` must record nothing: its clock is wrong by more than two minutes, or too
 * few hosts answered to check the clock and `at` is not after the last cycle.
 */
export function isClockWrong(
  ahead: number | null,
  { at, last }: { at: Instant; last: Instant | undefined },
): boolean {
  if (ahead !== null) return Math.abs(ahead) > MOST_OFF_MS
  return last !== undefined && at <= last
}
