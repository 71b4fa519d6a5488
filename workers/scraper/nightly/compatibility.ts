/** The rows of closed days in the compatibility lists. `workers/edge` adds today's rows. */
import type { Day } from '../../../shared/argentine-time.ts'
import {
  type Casa,
  dollarOfDay,
  indexOfDay,
  inList,
  evolutionCsvRow,
  evolutionRow,
  CASAS,
  casasOn,
} from '../../../shared/market/other-services.ts'
import { EVOLUTION, EVOLUTION_CSV, compatibilityFile } from '../../../shared/board/nightly-files.ts'
import type { DailyCloses, PairDays } from './daily-closes.ts'

export interface CompatibilityFile {
  name: string
  rows: string[]
  separator: string
}

/** Functions that make the lists, one at a time: all together would fill a Worker's memory. */
export function compatibilityFiles(closes: DailyCloses): (() => CompatibilityFile)[] {
  return [
    spaced('dolares', () => dollarRows(closes, (day) => casasOn(day, 'list'))),
    ...CASAS.map((casa) => spaced(`dolares-${casa.casa}`, () => dollarRows(closes, () => [casa]))),
    spaced('riesgo-pais', () => indexRows(closes, 'riesgo-pais', 'RIESGO')),
    spaced('uva', () => indexRows(closes, 'uva', 'UVA')),
    () => ({ name: EVOLUTION, rows: evolutionRows(closes, evolutionRow), separator: ',' }),
    () => ({
      name: EVOLUTION_CSV,
      rows: evolutionRows(closes, evolutionCsvRow),
      separator: '\n',
    }),
  ]
}

/** A list indented with two spaces. */
function spaced(list: string, rows: () => string[]): () => CompatibilityFile {
  return () => ({ name: compatibilityFile(list), rows: rows(), separator: ',\n' })
}

/** Rows sorted by day, and within a day in the order of `casasOf`. */
function dollarRows(closes: DailyCloses, casasOf: (day: Day) => readonly Casa[]): string[] {
  const columns = new Map(
    CASAS.map((casa): [Casa, Column] => [
      casa,
      {
        days: daysOf(closes, 'USD', casa.pair.origin),
        print: (day, buy, sell) => inList(dollarOfDay(casa.casa, day, buy, sell)),
      },
    ]),
  )
  return byDay(closes, (day) => casasOf(day).map((casa) => columns.get(casa)!))
}

function indexRows(closes: DailyCloses, name: keyof typeof indexOfDay, origin: string): string[] {
  const days = daysOf(closes, 'ARG', origin)
  const column: Column = { days, print: (day, _, value) => inList(indexOfDay[name](day, value)) }
  return byDay(closes, () => [column])
}

/** Rows with the newest day first, and within a day the official dollar first. */
function evolutionRows(closes: DailyCloses, print: typeof evolutionRow): string[] {
  const of = (source: 'Oficial' | 'Blue') => ({
    days: daysOf(closes, 'USD', source.toUpperCase()),
    print: (day: string, buy: number, sell: number) => print(day, source, buy, sell),
  })
  const columns = [of('Blue'), of('Oficial')]
  return byDay(closes, () => columns).toReversed()
}

function daysOf({ pairs }: DailyCloses, currency: string, origin: string): PairDays | undefined {
  return pairs.find(({ pair }) => pair.currency === currency && pair.origin === origin)
}

interface Column {
  days: PairDays | undefined
  print: (day: string, buy: number, sell: number) => string
}

function byDay(
  { first, last, dayText }: DailyCloses,
  columnsOf: (day: Day) => readonly Column[],
): string[] {
  const rows: string[] = []
  for (let day = first; day <= last; day++) {
    const text = dayText(day)
    for (const { days, print } of columnsOf(text)) {
      const index = days ? day - days.first : -1
      if (index >= 0) rows.push(print(text, days!.buy[index]!, days!.sell[index]!))
    }
  }
  return rows
}
