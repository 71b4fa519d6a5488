import { formatArgentine, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type CollectDeps, readOnce } from '../../../workers/scraper/collect/collect.ts'
import {
  type FailureClass,
  SourceError,
} from '../../../workers/scraper/sources/parsing/source-error.ts'
import type { Source } from '../../../workers/scraper/sources/source.ts'
import { newestOf } from './age.ts'
import { readingLine } from './reading-line.ts'

/** What one source's document said when it was asked once. */
export interface SourceCheck {
  name: string
  ok: boolean
  /** What it read, a line each; none when the upstream itself says that it has nothing. */
  readings: string[]
  /** When the newest reading is of, as the document says, Argentine; null when it does not. */
  newestAt: string | null
  ageSeconds: number | null
  /** The class of the failure and a sentence, both null when it was read. */
  failure: FailureClass | null
  message: string | null
  milliseconds: number
}

const AT_ONCE = 4

/** Asks each source's document once, at any hour. The answers are in the order of `sources`. */
export async function checkSources(
  deps: CollectDeps,
  sources: readonly Source[],
  onDone: (check: SourceCheck) => void = () => {},
): Promise<SourceCheck[]> {
  const checks: SourceCheck[] = []
  const waiting = sources.entries()
  async function work(): Promise<void> {
    for (const [index, source] of waiting) {
      const check = await checkSource(deps, source)
      checks[index] = check
      onDone(check)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return checks
}

async function checkSource(deps: CollectDeps, source: Source): Promise<SourceCheck> {
  const started = performance.now()
  const outcome = await read(deps, source)
  return { name: source.name, ...outcome, milliseconds: Math.round(performance.now() - started) }
}

async function read(
  deps: CollectDeps,
  source: Source,
): Promise<Omit<SourceCheck, 'name' | 'milliseconds'>> {
  try {
    const readings = await readOnce(deps, source)
    const newest = newestOf(readings)
    return {
      ok: true,
      readings: readings.map(readingLine),
      ...ageOf(newest, deps.now()),
      failure: null,
      message: null,
    }
  } catch (error) {
    const { failure, message } =
      error instanceof SourceError ? error : new SourceError('internal', String(error))
    return { ok: false, readings: [], newestAt: null, ageSeconds: null, failure, message }
  }
}

function ageOf(newest: Instant | null, now: Instant) {
  return newest === null
    ? { newestAt: null, ageSeconds: null }
    : {
        newestAt: formatArgentine(newest),
        ageSeconds: Math.max(0, Math.floor((now - newest) / SECOND_MS)),
      }
}
