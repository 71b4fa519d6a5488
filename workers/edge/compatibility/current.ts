/** The compatibility addresses about now: keys, order and format of the originals, our values and times. */
import { type Instant, argentineDay, formatUtc } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardQuote,
  quoteOf,
  printQuoteWithChange,
} from '../../../shared/board/board.ts'
import {
  type Casa,
  indexOfDay,
  BNA,
  CASAS,
  twoDecimals,
} from '../../../shared/market/other-services.ts'
import { type Price, numberToPrice } from '../../../shared/market/price.ts'
import { quoteNotFound } from '../errors.ts'
import { answerOf, JSON_TYPE } from '../http/answer.ts'
import { TODAY_MAX_AGE } from '../http/dated.ts'
import type { App, AppDeps } from '../http/route.ts'
import { type Pair, findPair } from '../../../shared/market/catalog.ts'

/** DolarApi's currencies in its order; all are of its casa `oficial`. */
const MONEDAS = [
  ['USD', 'Dólar'],
  ['EUR', 'Euro'],
  ['BRL', 'Real Brasileño'],
  ['CLP', 'Peso Chileno'],
  ['UYU', 'Peso Uruguayo'],
] as const

type Row = (board: Board, now: Instant) => object | undefined

const dollars = CASAS.map((casa): [string, Row] => [
  casa.casa,
  (board) => printed(findQuote(board, casa), casa),
])
const ambito = [...CASAS, BNA].map((casa): [string, Row] => [
  casa.casa,
  (board, now) => withVariation(findQuote(board, casa), casa, now),
])
const monedas = MONEDAS.map(([moneda, nombre]): [string, Row] => [
  moneda.toLowerCase(),
  (board) => printed(quoteOf(board, moneda, 'OFICIAL'), { casa: 'oficial', nombre }),
])

/**
 * What a compatibility address answers from the board: a value to print as JSON, or a text to send as
 * it is. Undefined when none of its pairs was ever quoted.
 */
type CompatibilityRead = (board: Board, now: Instant) => object | string | undefined

export const COMPATIBILITY_READS: ReadonlyMap<string, CompatibilityRead> = new Map([
  ...listAndEach('/v1/dolares', dollars),
  ...listAndEach('/v1/ambito/dolares', ambito),
  ...listAndEach('/v1/cotizaciones', monedas),
  // DolarApi's is a constant. Ours changes with each board, so that a client sees that the service
  // works.
  [
    '/v1/estado',
    ({ generatedAt, quotes }) => ({
      estado: quotes.length > 0 ? 'Disponible' : 'No disponible',
      aleatorio: Math.floor(generatedAt / 1000) % 10_000,
    }),
  ],
  [
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    // The last row of the list is today's, even if its value is older.
    (board, now) => {
      const quote = quoteOf(board, 'ARG', 'RIESGO')
      return quote && indexOfDay['riesgo-pais'](argentineDay(now), numberToPrice(quote.sell))
    },
  ],
  ['/v2/latest', printLatest],
] satisfies [string, CompatibilityRead][])

/** A route for each of these addresses. */
export function currentReads(app: App, { answers, board, now }: AppDeps): void {
  for (const [path, read] of COMPATIBILITY_READS)
    app.get(path, async (c) => {
      const from = now()
      const copy = await board.mustRead(c)
      const value = read(copy.board, from)
      if (value === undefined) throw quoteNotFound()
      const body = typeof value === 'object' ? printJson(value) : value
      const printed = { body, contentType: JSON_TYPE, maxAgeSeconds: TODAY_MAX_AGE }
      return answers.respond(c, answerOf(printed, copy.board.mode), { from, until: copy.until })
    })
}

/** JSON as the originals print it: two spaces, no line break at the end. */
export function printJson(value: object): string {
  return JSON.stringify(value, null, 2)
}

function listAndEach(path: string, rows: readonly [string, Row][]): [string, CompatibilityRead][] {
  return [
    [
      path,
      (board, now) => {
        const found = rows.map(([, row]) => row(board, now)).filter((row) => row !== undefined)
        return found.length === 0 ? undefined : found
      },
    ],
    ...rows.map(([name, row]): [string, CompatibilityRead] => [`${path}/${name}`, row]),
  ]
}

function findQuote(board: Board, { pair }: Casa): BoardQuote | undefined {
  return quoteOf(board, pair.currency, pair.origin)
}

function printed(quote: BoardQuote | undefined, { casa, nombre }: Pick<Casa, 'casa' | 'nombre'>) {
  return (
    quote && {
      moneda: quote.currency,
      casa,
      nombre,
      compra: quote.buy,
      venta: quote.sell,
      fechaActualizacion: formatUtc(Date.parse(quote.updatedAt)),
    }
  )
}

/** `variacion` is 0 where there is no value of yesterday: the original always has a number. */
function withVariation(quote: BoardQuote | undefined, casa: Casa, now: Instant) {
  const row = printed(quote, casa)
  if (!quote || !row) return undefined

  const variacion = printQuoteWithChange(quote, now).change?.percent ?? 0
  if (casa !== BNA) return { ...row, variacion }

  // The only row of DolarApi with these two fields in the other order.
  const { fechaActualizacion, ...fields } = row
  return { ...fields, variacion, fechaActualizacion }
}

/** Bluelytics' groups, in its order: it answers about now and about a day with them. */
export const GROUPS: readonly { name: string; pair: Pair }[] = [
  { name: 'oficial', pair: findPair('USD', 'OFICIAL')! },
  { name: 'blue', pair: findPair('USD', 'BLUE')! },
  { name: 'oficial_euro', pair: findPair('EUR', 'OFICIAL')! },
  { name: 'blue_euro', pair: findPair('EUR', 'BLUE')! },
]

/** Bluelytics' groups that have a value, as the fields of an object; null when none has. */
export function printGroups(
  values: readonly ({ buy: Price; sell: Price } | null)[],
): string | null {
  const fields = GROUPS.flatMap(({ name }, index) => {
    const value = values[index]
    return value ? [`"${name}":${groupOf(value.buy, value.sell)}`] : []
  })
  return fields.length === 0 ? null : fields.join(',')
}

/** Bluelytics' answer about now. `last_update` is when the last of the groups changed. */
export function printLatest(board: Board): string | undefined {
  const quotes = GROUPS.map(({ pair }) => quoteOf(board, pair.currency, pair.origin))
  const groups = printGroups(
    quotes.map((quote) =>
      quote ? { buy: numberToPrice(quote.buy), sell: numberToPrice(quote.sell) } : null,
    ),
  )
  // All have the same form and zone, so the greatest text is the latest.
  const last = quotes
    .map((quote) => quote?.updatedAt ?? '')
    .toSorted()
    .at(-1)
  return groups === null ? undefined : `{${groups},"last_update":"${last}"}`
}

/** A group; the average is the mean of the two exact values. */
function groupOf(buy: Price, sell: Price): string {
  const average = twoDecimals((buy + sell) / 2)
  return `{"value_avg":${average},"value_sell":${twoDecimals(sell)},"value_buy":${twoDecimals(buy)}}`
}
