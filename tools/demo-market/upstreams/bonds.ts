import type { Market } from '../market.ts'
import { cut } from '../writing.ts'

export interface Bond {
  symbol: string
  currency: 'ARS' | 'USD' | 'EXT'
  last: number
  bid: number
  ask: number
}

/** The two bonds whose legs give MEP and CCL, 24 hours, prices for 100 nominals. */
export function bonds({ mep, ccl }: Market): Bond[] {
  return [legs('AL30', 54, mep, ccl), legs('GD30', 56.5, mep * 1.001, ccl * 1.001)].flat()
}

function legs(symbol: string, dollars: number, mep: number, ccl: number): Bond[] {
  const pesos = dollars * mep
  const cable = pesos / ccl
  return [
    { symbol, currency: 'ARS', ...book(pesos, 0.0004, 0) },
    { symbol: `${symbol}D`, currency: 'USD', ...book(dollars, 0.0002, 4) },
    { symbol: `${symbol}C`, currency: 'EXT', ...book(cable, 0.012, 4) },
  ]
}

function book(last: number, spread: number, decimals: number) {
  const bid = cut(last * (1 - spread / 2), decimals)
  return { last: cut(last, decimals), bid, ask: cut(last * (1 + spread / 2), decimals) }
}
