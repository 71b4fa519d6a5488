import type { Reading } from '../../../workers/scraper/sources/source.ts'

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
