/** The whole histories at the compatibility addresses, and how each is written. */
import type { Day } from '../../../shared/argentine-time.ts'
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import {
  dollarOfDay,
  indexOfDay,
  type IndexName,
  inList,
} from '../../../shared/compatibility/argentinadatos.ts'
import { evolutionCsvRow, evolutionRow } from '../../../shared/compatibility/bluelytics.ts'
import { type Casa, CASAS, casasOn } from '../../../shared/compatibility/casas.ts'
import { EVOLUTION, EVOLUTION_CSV, compatibilityFile } from '../../../shared/compatibility/files.ts'
import type { HistoryList } from './history.ts'

/** ArgentinaDatos prints lists with two spaces. */
const SPACED = { open: '[\n', separator: ',\n', close: '\n]', newestFirst: false }

/** All casas, by day and then in the original's order of that day. */
export const DOLLARS: HistoryList = {
  ...SPACED,
  name: compatibilityFile('dolares'),
  today: (board, day) => joined(casasOn(day, 'list').map((casa) => dollarRow(board, casa, day))),
}

export const DOLLAR_LISTS: ReadonlyMap<string, HistoryList> = new Map(
  CASAS.map((casa) => [
    casa.casa,
    {
      ...SPACED,
      name: compatibilityFile(`dolares-${casa.casa}`),
      today: (board, day) => dollarRow(board, casa, day),
    },
  ]),
)

export const INDEX_LISTS: Readonly<Record<IndexName, HistoryList>> = {
  'riesgo-pais': indexList('riesgo-pais', 'RIESGO'),
  uva: indexList('uva', 'UVA'),
}

export const EVOLUTION_LIST: HistoryList = {
  name: EVOLUTION,
  open: '[',
  separator: ',',
  close: ']',
  newestFirst: true,
  today: (board, day) => evolutionOf(board, day, evolutionRow, ','),
}

export const EVOLUTION_CSV_LIST: HistoryList = {
  name: EVOLUTION_CSV,
  contentType: 'text/csv',
  open: 'day,type,value_buy,value_sell\n',
  separator: '\n',
  close: '\n',
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
