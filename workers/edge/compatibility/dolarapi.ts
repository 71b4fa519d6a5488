/** DolarApi's responses from the board: its keys, order and format with our values and times. */
import { formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from '../../../shared/board/board.ts'
import { printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { BNA, type Casa, CASAS } from '../../../shared/compatibility/casas.ts'

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
export type CompatibilityRead = (board: Board, now: Instant) => object | string | undefined

export const DOLARAPI_READS: readonly [string, CompatibilityRead][] = [
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
]

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
