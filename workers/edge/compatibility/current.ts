/** Compatibility addresses for current values: the original form, with our values and times. */
import type * as z from 'zod/mini'
import { current } from '../../../shared/api/compatibility.ts'
import type { Operation } from '../../../shared/api/operation.ts'
import { type Instant, argentineDay, formatUtc } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardQuote,
  quoteOf,
  printQuoteWithChange,
} from '../../../shared/board/board.ts'
import { type Pair, findPair } from '../../../shared/market/catalog.ts'
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
import { type App, type AppDeps, route } from '../http/route.ts'

const OF_AMBITO = [...CASAS, BNA]

/** DolarApi's currencies in its order. DolarApi gives all of them the casa `oficial`. */
const MONEDAS = [
  { moneda: 'USD', nombre: 'Dólar' },
  { moneda: 'EUR', nombre: 'Euro' },
  { moneda: 'BRL', nombre: 'Real Brasileño' },
  { moneda: 'CLP', nombre: 'Peso Chileno' },
  { moneda: 'UYU', nombre: 'Peso Uruguayo' },
]

/** Current values in the form of DolarApi and Bluelytics, and of ArgentinaDatos' country risk. */
export function compatibilityCurrent(app: App, deps: AppDeps): void {
  const answer = fromBoard(app, deps)

  answer(current.dollars, ({ board }) => listOf(CASAS.map((casa) => dollarOf(board, casa))))
  answer(current.dollar, ({ board, params }) => dollarOf(board, casaOf(params)))
  answer(current.ambitoDollars, ({ board, now }) =>
    listOf(OF_AMBITO.map((casa) => withVariation(board, casa, now))),
  )
  answer(current.ambitoDollar, ({ board, now, params }) =>
    withVariation(board, casaOf(params), now),
  )
  answer(current.currencies, ({ board }) => listOf(MONEDAS.map((each) => currencyOf(board, each))))
  answer(current.currency, ({ board, params }) => currencyOf(board, monedaOf(params)))
  // DolarApi's value is constant. Ours changes with each board, which shows that the service works.
  answer(current.state, ({ board: { generatedAt, quotes } }) => ({
    estado: quotes.length > 0 ? 'Disponible' : 'No disponible',
    aleatorio: Math.floor(generatedAt / 1000) % 10_000,
  }))
  // The last row of the list is today's, even if its value is older.
  answer(current.lastRisk, ({ board, now }) => {
    const quote = quoteOf(board, 'ARG', 'RIESGO')
    return quote && indexOfDay['riesgo-pais'](argentineDay(now), numberToPrice(quote.sell))
  })
  answer(current.latest, ({ board }) => printLatest(board))
}

interface BoardRead<Params extends z.ZodMiniObject> {
  board: Board
  now: Instant
  params: z.output<Params>
}

/**
 * Adds an operation that answers from the board. `read` returns a value to print as JSON, a text to
 * send unchanged, or undefined for a 404, when none of the pairs was ever quoted.
 */
function fromBoard(app: App, { answers, board, now }: AppDeps) {
  return <Params extends z.ZodMiniObject>(
    operation: Operation<Params>,
    read: (from: BoardRead<Params>) => object | string | undefined,
  ) =>
    route(app, operation, [], async (c, { params }) => {
      const from = now()
      const copy = await board.mustRead(c)
      const value = read({ board: copy.board, now: from, params })
      if (value === undefined) throw quoteNotFound()
      const body = typeof value === 'object' ? printJson(value) : value
      const printed = { body, contentType: JSON_TYPE, maxAgeSeconds: TODAY_MAX_AGE }
      return answers.respond(c, answerOf(printed, copy.board.mode), { from, until: copy.until })
    })
}

/** The casa that a path names. The operation's schema has checked that it exists. */
function casaOf(params: { casa: string }): Casa {
  return OF_AMBITO.find(({ casa }) => casa === params.casa)!
}

/** The currency that a path names. The operation's schema has checked that it exists. */
function monedaOf(params: { moneda: string }) {
  return MONEDAS.find(({ moneda }) => moneda.toLowerCase() === params.moneda)!
}

/** The rows that have a value; undefined when none has. */
function listOf<Row>(rows: readonly (Row | undefined)[]): Row[] | undefined {
  const found = rows.filter((row) => row !== undefined)
  return found.length === 0 ? undefined : found
}

/** JSON as the originals print it: two spaces, no line break at the end. */
export function printJson(value: object): string {
  return JSON.stringify(value, null, 2)
}

function dollarOf(board: Board, casa: Casa) {
  return printed(quoteOf(board, casa.pair.currency, casa.pair.origin), casa)
}

function currencyOf(board: Board, { moneda, nombre }: (typeof MONEDAS)[number]) {
  return printed(quoteOf(board, moneda, 'OFICIAL'), { casa: 'oficial', nombre })
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

/** `variacion` is 0 without a value of yesterday: the original always has a number. */
function withVariation(board: Board, casa: Casa, now: Instant) {
  const quote = quoteOf(board, casa.pair.currency, casa.pair.origin)
  const row = printed(quote, casa)
  if (!quote || !row) return undefined

  const variacion = printQuoteWithChange(quote, now).change?.percent ?? 0
  if (casa !== BNA) return { ...row, variacion }

  // In DolarApi only this row has `variacion` before `fechaActualizacion`.
  const { fechaActualizacion, ...fields } = row
  return { ...fields, variacion, fechaActualizacion }
}

/** Bluelytics' groups in its order, for current values and for those of a day. */
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

/** Bluelytics' current values. `last_update` is when the last of the groups changed. */
function printLatest(board: Board): string | undefined {
  const quotes = GROUPS.map(({ pair }) => quoteOf(board, pair.currency, pair.origin))
  const groups = printGroups(
    quotes.map((quote) =>
      quote ? { buy: numberToPrice(quote.buy), sell: numberToPrice(quote.sell) } : null,
    ),
  )
  // All texts have the same format and zone, so the greatest text is the latest.
  const last = quotes
    .map((quote) => quote?.updatedAt ?? '')
    .toSorted()
    .at(-1)
  return groups === null ? undefined : `{${groups},"last_update":"${last}"}`
}

/** A group as JSON. The average is the mean of the two values before they are rounded. */
function groupOf(buy: Price, sell: Price): string {
  const average = twoDecimals((buy + sell) / 2)
  return `{"value_avg":${average},"value_sell":${twoDecimals(sell)},"value_buy":${twoDecimals(buy)}}`
}
