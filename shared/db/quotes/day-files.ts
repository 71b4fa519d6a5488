/**
 * The file of a closed day, `/datos/dias/DAY.csv`: for every pair the value in effect when the day
 * began and each change on it, with its source. The same points give the same bytes, so the record
 * names its SHA-256 and no file has to be stored.
 */
import {
  addDays,
  type Day,
  dayEnd,
  dayStart,
  formatArgentine,
  type Instant,
} from '../../argentine-time.ts'
import { type Pair, PAIRS } from '../../market/catalog.ts'
import { type Price, priceToNumber } from '../../market/price.ts'
import { EVERY_PAIR } from '../every-pair.ts'

const HEADER = 'currency,origin,at,buy,sell,source'

/** Days in one query: a pair that changes every five minutes stays below D1's 2 MB a value. */
const CHUNK_DAYS = 92

export interface DayFile {
  day: Day
  text: string
}

/** The file of one day. */
export async function readDayFile(db: D1Database, day: Day): Promise<string> {
  const [file] = filesOf(day, day, await readPairs(db, day, day))
  return file!.text
}

/** The files of the days `from` to `to`, both inclusive, a quarter of a year in memory at once. */
export async function* readDayFiles(db: D1Database, from: Day, to: Day): AsyncGenerator<DayFile> {
  for (let first = from; first <= to; first = addDays(first, CHUNK_DAYS)) {
    const end = addDays(first, CHUNK_DAYS - 1)
    const last = end < to ? end : to
    yield* filesOf(first, last, await readPairs(db, first, last))
  }
}

/** A point and how a row prints it. */
interface Line {
  at: Instant
  text: string
}

/** The points of each pair of the catalogue, ascending; only the first may be older than `from`. */
async function readPairs(db: D1Database, from: Day, to: Day): Promise<Line[][]> {
  const { results } = await db
    .prepare(POINTS)
    .bind(EVERY_PAIR, dayStart(from), dayEnd(to))
    .all<{ points: string }>()
  return results.map(({ points }, index) =>
    (JSON.parse(points) as PackedPoint[])
      .toSorted(([a], [b]) => a - b)
      .map((point) => lineOf(PAIRS[index]!, point)),
  )
}

type PackedPoint = [at: Instant, buy: Price, sell: Price, source: string]

/** Sorted by the caller: an `order by` would read every row twice. */
const POINTS = `
  select (
    select json_group_array(json_array(at, buy, sell, source)) from points
    where pair = wanted.value and at <= ?3 and at >= coalesce(
      (select max(at) from points where pair = wanted.value and at <= ?2), ?2)
  ) as points
  from json_each(?1) as wanted order by wanted.key`

function lineOf({ currency, origin }: Pair, [at, buy, sell, source]: PackedPoint): Line {
  const prices = `${priceToNumber(buy)},${priceToNumber(sell)}`
  return { at, text: `${currency},${origin},${formatArgentine(at)},${prices},${source}` }
}

function* filesOf(from: Day, to: Day, pairs: readonly Line[][]): Generator<DayFile> {
  const starts = pairs.map(() => 0)
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const [begin, end] = [dayStart(day), dayEnd(day)]
    const rows = [HEADER]
    for (const [pair, lines] of pairs.entries()) {
      let index = starts[pair]!
      while (lines[index + 1] && lines[index + 1]!.at <= begin) index++
      starts[pair] = index
      for (; lines[index] && lines[index]!.at <= end; index++) rows.push(lines[index]!.text)
    }
    yield { day, text: `${rows.join('\r\n')}\r\n` }
  }
}
