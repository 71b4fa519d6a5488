import type { Reading } from '../../workers/scraper/sources/source.ts'

/** How many readings a line shows. */
const SHOWN = 3

/** One line of `npm run sources -- check`: the source's name and its readings. */
export function checkLine(name: string, readings: readonly Reading[]): string {
  const more = readings.length > SHOWN ? ` and ${readings.length - SHOWN} more` : ''
  const shown = readings.slice(0, SHOWN).map(readingLine).join('; ')
  return `ok      ${name.padEnd(26)}  ${shown || 'nothing today, as the upstream says'}${more}`
}

/** A reading in one line. Tests also compare readings by this text. */
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
