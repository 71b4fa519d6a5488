import { type CollectDeps, readOnce } from '../../../workers/scraper/collect/collect.ts'
import {
  type FailureClass,
  SourceError,
} from '../../../workers/scraper/sources/parsing/source-error.ts'
import type { Reading, Source } from '../../../workers/scraper/sources/source.ts'

/** What one source's document said when it was asked once. */
export interface SourceCheck {
  name: string
  /** None when the upstream itself says that it has nothing. */
  readings: Reading[]
  failure: { kind: FailureClass; message: string } | null
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
  const { name } = source
  try {
    return { name, readings: await readOnce(deps, source), failure: null }
  } catch (error) {
    const { failure: kind, message } =
      error instanceof SourceError ? error : new SourceError('internal', String(error))
    return { name, readings: [], failure: { kind, message } }
  }
}
