import type * as z from 'zod/mini'
import type { Day } from '../../../shared/argentine-time.ts'
import { parseJson } from '../../support/parse-json.ts'
import { formatError } from '../../../workers/scraper/sources/parsing/source-error.ts'

/** One day of an archive, as it is written there. The import's rules read the prices. */
export interface ArchiveRow {
  day: string
  buy: unknown
  sell: unknown
  /** How many units of the currency the price is for; 1 when absent. */
  unit?: number
}

/** A public archive of daily values. It keeps several series, each under a key of its own. */
export interface Archive {
  name: string
  /** What the points of a series have in `points.source`. */
  source(key: string): string
  /** What to ask for the days `from` to `to`: as few requests as the archive allows. */
  addresses(key: string, from: Day, to: Day): string[]
  /** The rows of a document; throws a `SourceError` when it has another shape. */
  read(body: string, key: string): ArchiveRow[]
}

/** The calendar years that a stretch of days touches, each cut to the stretch. */
export function byYear(from: Day, to: Day): { year: number; from: Day; to: Day }[] {
  return byYears(1, from, to).map((part) => ({ ...part, year: Number(part.from.slice(0, 4)) }))
}

/** Parts of at most so many calendar years. Their borders do not depend on `from`. */
export function byYears(count: number, from: Day, to: Day): { from: Day; to: Day }[] {
  const parts: { from: Day; to: Day }[] = []
  const first = Number(from.slice(0, 4))

  for (let year = first - (first % count); year <= Number(to.slice(0, 4)); year += count) {
    const [start, end] = [`${year}-01-01`, `${year + count - 1}-12-31`]
    parts.push({ from: start < from ? from : start, to: end > to ? to : end })
  }
  return parts
}

/** The document as its schema describes it. Unlike a source's, it may have all the rows of decades. */
export function parseDocument<Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
): z.infer<Schema> {
  const json = parseJson(body)
  if (json === undefined) throw formatError('is not JSON')
  const result = schema.safeParse(json)
  if (result.success) return result.data

  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw formatError(`has another shape at "${path.slice(0, 60)}"`)
}
