/**
 * Whole histories at the compatibility addresses: a list from the nightly files, with today's rows
 * from the board at its end or its beginning. D1 is not read.
 */
import type { Context } from 'hono'
import { past } from '../../../shared/api/compatibility.ts'
import { type Day, addDays, argentineDay } from '../../../shared/argentine-time.ts'
import {
  type NightlyFile,
  type Manifest,
  openFile,
  readManifest,
  EVOLUTION,
  EVOLUTION_CSV,
  compatibilityFile,
} from '../../../shared/board/nightly-files.ts'
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import type { EdgeContext } from '../context.ts'
import { quoteNotFound, unavailable } from '../errors.ts'
import { JSON_TYPE, matchesEtag, modeHeader, strongEtag } from '../http/answer.ts'
import { HISTORY_UNPUBLISHED } from '../../../shared/sentences.ts'
import { BUILD_RETRY_SECONDS } from '../routes/files.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import {
  type IndexName,
  type Casa,
  dollarOfDay,
  indexOfDay,
  inList,
  CASAS,
  casasOn,
  evolutionCsvRow,
  evolutionRow,
} from '../../../shared/market/other-services.ts'

/** Whole histories: ArgentinaDatos' lists, and Bluelytics' evolution. */
export function compatibilityHistories(app: App, deps: AppDeps): void {
  route(app, past.dollars, [], (c) => respondHistory(c, deps, DOLLARS))
  route(app, past.dollar, [], (c, { params }) => respondHistory(c, deps, dollarList(params.casa)))
  route(app, past.risk, [], (c) => respondHistory(c, deps, indexList('riesgo-pais', 'RIESGO')))
  route(app, past.uva, [], (c) => respondHistory(c, deps, indexList('uva', 'UVA')))
  route(app, past.evolution, [], (c, { query }) => respondEvolution(c, deps, EVOLUTION_LIST, query))
  route(app, past.evolutionCsv, [], (c, { query }) =>
    respondEvolution(c, deps, EVOLUTION_CSV_LIST, query),
  )
}

/** A list: the text around its rows, and where today's rows go. */
interface HistoryList {
  /** The nightly file with the rows of the closed days. */
  name: string
  /** JSON when absent. */
  contentType?: string
  prefix: string
  separator: string
  suffix: string
  newestFirst: boolean
  /** Today's rows in the form of the list; null when none of its pairs is quoted. */
  today: (board: Board, day: Day) => string | null
}

/** ArgentinaDatos indents its lists with two spaces. */
const SPACED = { prefix: '[\n', separator: ',\n', suffix: '\n]', newestFirst: false }

/** All casas, by day and then in the original's order of that day. */
const DOLLARS: HistoryList = {
  ...SPACED,
  name: compatibilityFile('dolares'),
  today: (board, day) => joined(casasOn(day, 'list').map((casa) => dollarRow(board, casa, day))),
}

function dollarList(name: string): HistoryList {
  const casa = CASAS.find((each) => each.casa === name)!
  return {
    ...SPACED,
    name: compatibilityFile(`dolares-${name}`),
    today: (board, day) => dollarRow(board, casa, day),
  }
}

const EVOLUTION_LIST: HistoryList = {
  name: EVOLUTION,
  prefix: '[',
  separator: ',',
  suffix: ']',
  newestFirst: true,
  today: (board, day) => evolutionOf(board, day, evolutionRow, ','),
}

const EVOLUTION_CSV_LIST: HistoryList = {
  name: EVOLUTION_CSV,
  contentType: 'text/csv',
  prefix: 'day,type,value_buy,value_sell\n',
  separator: '\n',
  suffix: '\n',
  newestFirst: true,
  today: (board, day) => evolutionOf(board, day, evolutionCsvRow, '\n'),
}

function evolutionOf(board: Board, day: Day, print: typeof evolutionRow, separator: string) {
  return joined(
    (['Oficial', 'Blue'] as const).map((source) => {
      const quote = quoteOf(board, 'USD', source.toUpperCase())
      return quote ? print(day, source, numberToPrice(quote.buy), numberToPrice(quote.sell)) : null
    }),
    separator,
  )
}

function dollarRow(board: Board, { casa, pair }: Casa, day: Day): string | null {
  const quote = quoteOf(board, pair.currency, pair.origin)
  return quote
    ? inList(dollarOfDay(casa, day, numberToPrice(quote.buy), numberToPrice(quote.sell)))
    : null
}

function indexList(name: IndexName, origin: string): HistoryList {
  return {
    ...SPACED,
    name: compatibilityFile(name),
    today: (board, day) => {
      const quote = quoteOf(board, 'ARG', origin)
      return quote ? inList(indexOfDay[name](day, numberToPrice(quote.sell))) : null
    },
  }
}

function joined(rows: (string | null)[], separator = ',\n'): string | null {
  const found = rows.filter((row) => row !== null)
  return found.length === 0 ? null : found.join(separator)
}

/**
 * Responds with a whole list; 404 when neither the files nor the board have a row. If the caller
 * cuts a part from the response, `part` names the part, because each part needs its own ETag.
 */
async function respondHistory(
  c: Context<EdgeContext>,
  { now, board: memory }: AppDeps,
  list: HistoryList,
  part = '',
): Promise<Response> {
  const [manifest, read] = await Promise.all([readManifest(c.env.BOARD), memory.read(c)])
  if (!manifest) throw unavailable(HISTORY_UNPUBLISHED, BUILD_RETRY_SECONDS)

  const file = manifest.files.find(({ name }) => name === list.name)
  const rows = read ? rowsOfToday(manifest, list, read.board, argentineDay(now())) : null
  if (!file?.rows && rows === null) throw quoteNotFound()

  const etag = strongEtag(`${file?.sha256} ${rows} ${part}`)
  const modes = [manifest.mode, ...(read && rows !== null ? [read.board.mode] : [])]
  const headers = new Headers({
    'Content-Type': list.contentType ?? JSON_TYPE,
    'Cache-Control': 'public, max-age=60',
    ETag: etag,
    ...modeHeader(modes.find((mode) => mode !== 'live') ?? 'live'),
  })
  if (matchesEtag(c.req.header('If-None-Match') ?? null, etag)) {
    return new Response(null, { status: 304, headers })
  }
  if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
  return new Response(await bodyOf(c, list, { file, rows }), { headers })
}

/** Bluelytics ignores a `days` of this or more. */
const MOST_ROWS = 10_000

/** Bluelytics' evolution, newest first. `days` is the number of rows, as at Bluelytics. */
async function respondEvolution(
  c: Context<EdgeContext>,
  deps: AppDeps,
  list: HistoryList,
  { days }: { days?: string | undefined },
): Promise<Response> {
  const rows = requestedRows(days)
  const whole = await respondHistory(c, deps, list, rows === null ? '' : `${rows} rows`)
  if (rows === null || whole.body === null) return whole

  return new Response(firstRows(await whole.text(), list, rows), { headers: whole.headers })
}

function requestedRows(days: string | undefined): number | null {
  const rows = /^\+?\d{1,9}$/.test(days ?? '') ? Number(days) : MOST_ROWS
  return rows < MOST_ROWS ? rows : null
}

/** The first rows of a list. In JSON a row ends at its only `}`, in CSV at the end of its line. */
function firstRows(
  text: string,
  { contentType, prefix, suffix }: HistoryList,
  rows: number,
): string {
  const isCsv = contentType !== undefined
  let end = prefix.length
  for (let row = 0; row < rows; row++) {
    const last = text.indexOf(isCsv ? '\n' : '}', end)
    if (last === -1) return text
    end = last + 1
  }
  return isCsv ? text.slice(0, end) : text.slice(0, end) + suffix
}

/**
 * Today's rows from the board, if the files end yesterday. In the minutes after midnight the files
 * end a day earlier. Today's rows are then left out, so that the list has no gap.
 */
function rowsOfToday({ day }: Manifest, { today }: HistoryList, board: Board, now: Day) {
  return day === addDays(now, -1) ? today(board, now) : null
}

async function bodyOf(
  c: Context<EdgeContext>,
  list: HistoryList,
  { file, rows }: { file: NightlyFile | undefined; rows: string | null },
): Promise<string | ReadableStream> {
  const stored = file?.rows ? await openFile(c.env.BOARD, file) : null
  if (!stored) {
    if (file?.rows) throw unavailable(HISTORY_UNPUBLISHED, BUILD_RETRY_SECONDS)
    return list.prefix + rows + list.suffix
  }

  const before = list.newestFirst && rows !== null ? rows + list.separator : ''
  const after = !list.newestFirst && rows !== null ? list.separator + rows : ''
  return framed(list.prefix + before, stored, after + list.suffix)
}

/**
 * A stream with a text before and after it. Memory never holds the whole, and the runtime copies
 * the stream at half the cost of a copy in JavaScript.
 */
function framed(before: string, stored: ReadableStream<Uint8Array>, after: string): ReadableStream {
  const { readable, writable } = new IdentityTransformStream()
  // Rejects when the client leaves.
  void pipe(before, stored, after, writable).catch(() => {})
  return readable
}

async function pipe(
  before: string,
  stored: ReadableStream<Uint8Array>,
  after: string,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const write = async (text: string) => {
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode(text))
    writer.releaseLock()
  }
  await write(before)
  await stored.pipeTo(writable, { preventClose: true })
  await write(after)
  await writable.close()
}
