import { type CollectDeps, readOnce } from '../../workers/scraper/collect/collect.ts'
import {
  type FailureClass,
  SourceError,
} from '../../workers/scraper/sources/parsing/source-error.ts'
import type { Reading, Source } from '../../workers/scraper/sources/source.ts'

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

/** How many readings a line shows. */
const SHOWN = 3

/** A check in one line: the name and what was read, or what failed. */
export function checkLine({ name, readings, failure }: SourceCheck): string {
  const start = `${failure ? 'FAILED' : 'ok    '}  ${name.padEnd(26)}`
  if (failure) return `${start}  ${failure.kind}: ${failure.message}`
  if (readings.length === 0) return `${start}  nothing today, as the upstream says`

  const more = readings.length > SHOWN ? ` and ${readings.length - SHOWN} more` : ''
  const shown = readings.slice(0, SHOWN).map(readingLine).join('; ')
  return `${start}  ${shown}${more}`
}

/** A reading in one line, so that a table can show what a document says. */
export function readingLine(reading: Reading): string {
  switch (reading.kind) {
    case 'quote':
      return `${reading.pair} ${reading.buy} ${reading.sell}`
    case 'input':
      return `${reading.name} ${reading.day} ${reading.value}`
    case 'book':
      return `${reading.symbol} ${reading.last} ${reading.bid} ${reading.ask}`
    case 'offer':
      return `${reading.by} ${reading.bid} ${reading.ask} total ${reading.totalBid} ${reading.totalAsk} at ${reading.time}`
    case 'wholesale':
      return [
        `wholesale ${reading.day} ${reading.publishedAt}`,
        ...reading.rates.map(
          ({ currency, units, buy, sell }) => `${units} ${currency} ${buy} ${sell}`,
        ),
      ].join(', ')
    case 'holidays':
      return `${reading.year}: ${reading.days.map(({ day, kind }) => `${day} ${kind}`).join(', ')}`
    case 'missing':
      return `missing ${reading.row}`
    case 'future':
      return `${reading.month} ${reading.buy} ${reading.sell}${reading.day ? ` on ${reading.day}` : ''}`
  }
}
