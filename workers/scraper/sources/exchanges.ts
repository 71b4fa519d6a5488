import * as z from 'zod/mini'
import { Big } from 'big.js'
import { argentineDay, DAY_MS, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import {
  ALWAYS,
  type Hours,
  INDEX_HOURS,
  QUOTE_HOURS,
} from '../../../shared/market/market-hours.ts'
import { atLeastOne, get, json, fitting } from './document.ts'
import { parsePrice, requirePrice } from './number-text.ts'
import { emptyError, formatError, type Reading, type Source } from './source.ts'

const CRIPTOYA = 'https://criptoya.com/api'

/** An offer of criptoya or ComparaDólar. Banks have no totals. */
const offerRow = z.object({
  ask: z.number(),
  bid: z.number(),
  totalAsk: z.optional(z.number()),
  totalBid: z.optional(z.number()),
  time: z.number().check(z.positive()),
})

function offerOf(by: string, row: z.infer<typeof offerRow>): Reading {
  return {
    kind: 'offer',
    by,
    ask: new Big(row.ask),
    bid: new Big(row.bid),
    totalAsk: new Big(row.totalAsk ?? row.ask),
    totalBid: new Big(row.totalBid ?? row.bid),
    time: instantOf(row.time),
  }
}

/** Seconds or milliseconds: some exchanges of ComparaDólar write one, some the other. */
function instantOf(time: number): number {
  return time > 1e11 ? time : time * SECOND_MS
}

/** Criptoya's times are epoch seconds. */
const seconds = z.number().check(z.positive())

/** Offers by exchange or bank. For an unknown pair, criptoya answers 200 with `Invalid pair`. */
function offers(name: string, path: string, hours: Hours): Source {
  return {
    ...get(name, 5, hours, `${CRIPTOYA}/${path}`),
    parse: json(z.record(z.string(), z.unknown()), (byName) =>
      atLeastOne(
        Object.entries(byName).flatMap(([by, value]) =>
          fitting([value], offerRow).map((row) => offerOf(by, row)),
        ),
        NO_OFFER,
      ),
    ),
  }
}

const NO_OFFER = 'holds no offer'

const book = z.object({ ask: z.number(), bid: z.number(), timestamp: seconds })
const price = z.object({ price: z.number(), timestamp: seconds })
const bond = z.object({ al30: z.object({ '24hs': price }) })

/** Of the bonds only AL30 is read: the others in the recording (2024) have matured since. */
const dolares = z.object({
  blue: z.optional(book),
  mep: z.optional(bond),
  ccl: z.optional(bond),
  cripto: z.optional(z.object({ usdt: book })),
})

/** An older value has stalled: this is longer than the longest run of holidays. */
const OLDEST_MS = 5 * DAY_MS

const criptoyaDolar: Source = {
  ...get('criptoya-dolar', 5, QUOTE_HOURS, `${CRIPTOYA}/dolar`),
  parse: json(dolares, ({ blue, mep, ccl, cripto }, now, replayed) => {
    const oldest = replayed ? 0 : now - OLDEST_MS
    return atLeastOne(
      [
        ...sides('USD/BLUE', blue, oldest),
        ...single('USD/BOLSA', mep?.al30['24hs'], oldest),
        ...single('USD/CCL', ccl?.al30['24hs'], oldest),
        ...sides('USD/CRIPTO', cripto?.usdt, oldest),
      ],
      'holds no recent price',
    )
  }),
}

function index(name: string, path: string, input: string): Source {
  return {
    ...get(name, 30, INDEX_HOURS, `${CRIPTOYA}/${path}`),
    parse: json(z.object({ time: seconds, value: z.number() }), ({ time, value }) => {
      const day = argentineDay(time * SECOND_MS)
      return [{ kind: 'input', name: input, value: requirePrice(value), day }]
    }),
  }
}

export const criptoyaSources: readonly Source[] = [
  offers('criptoya-usdt', 'USDT/ARS/1000', ALWAYS),
  offers('criptoya-bancos', 'bancostodos', QUOTE_HOURS),
  criptoyaDolar,
  index('criptoya-cer', 'cer', 'CER'),
  index('criptoya-uva', 'uva', 'UVA'),
]

/** `ask` is the price for a buyer of dollars, which is our sell. */
function sides(pair: PairKey, quote: z.infer<typeof book> | undefined, oldest: Instant): Reading[] {
  if (!quote || quote.timestamp * SECOND_MS < oldest || quote.ask <= 0 || quote.bid <= 0) return []

  const stamp = String(quote.timestamp)
  return [{ kind: 'quote', pair, buy: new Big(quote.bid), sell: new Big(quote.ask), stamp }]
}

function single(
  pair: PairKey,
  quote: z.infer<typeof price> | undefined,
  oldest: Instant,
): Reading[] {
  return quote ? sides(pair, { ...quote, ask: quote.price, bid: quote.price }, oldest) : []
}

const row = z.extend(offerRow, { slug: z.string().check(z.minLength(1)) })

/** USDT by exchange. Some rows were a thousand times too small; the median drops such rows. */
export const comparadolar: Source = {
  ...get('comparadolar', 5, ALWAYS, 'https://api.comparadolar.ar/usdt'),
  parse: json(z.array(z.unknown()), (rows) =>
    atLeastOne(
      fitting(rows, row).map((entry) => offerOf(entry.slug, entry)),
      NO_OFFER,
    ),
  ),
}

const payload = z.array(z.object({ pairCode: z.string(), ask: z.string(), bid: z.string() }))

/** USDT in pesos at the exchange Belo. Prices are texts with decimal point. */
export const belo: Source = {
  ...get('belo', 5, ALWAYS, 'https://api.belo.app/public/price'),
  parse: json(payload, (rows) => {
    const [row, ...others] = rows.filter(({ pairCode }) => pairCode === 'USDT/ARS')
    if (!row) throw emptyError('has no USDT/ARS')
    if (others.length > 0) throw formatError('has USDT/ARS twice')

    const [buy, sell] = [parsePrice(row.bid, 'point'), parsePrice(row.ask, 'point')]
    return [{ kind: 'quote', pair: 'USD/CRIPTO', buy, sell }]
  }),
}
