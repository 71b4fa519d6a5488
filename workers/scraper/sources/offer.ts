import { Big } from 'big.js'
import * as z from 'zod/mini'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Reading } from './source.ts'

/** An offer as criptoya and ComparaDólar write it; banks have no totals. */
export const offerRow = z.object({
  ask: z.number(),
  bid: z.number(),
  totalAsk: z.optional(z.number()),
  totalBid: z.optional(z.number()),
  time: z.number().check(z.positive()),
})

export function offerOf(by: string, row: z.infer<typeof offerRow>): Reading {
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
