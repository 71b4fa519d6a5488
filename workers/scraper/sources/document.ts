/** What sources share: a document behind an address, JSON of one shape, a series, a list of pairs. */
import type * as z from 'zod/mini'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { isoDay } from './parsing/dates.ts'
import { parseJson } from './parsing/json.ts'
import { requirePrice } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

/** A document behind one address, or one that depends on the day. */
export function get(
  name: string,
  everyMinutes: number,
  hours: Hours,
  url: string | ((now: Instant) => string),
  headers: Record<string, string> = JSON_HEADERS,
): Omit<Source, 'parse'> {
  const request = (now: Instant) => ({ url: typeof url === 'string' ? url : url(now), headers })
  return { name, rhythm: { everyMinutes, hours }, request }
}

/** The parse of a JSON document of one shape. */
export function json<Schema extends z.ZodMiniType>(
  schema: Schema,
  readings: (document: z.infer<Schema>, now: Instant, replayed?: boolean) => Reading[],
): Source['parse'] {
  return (body, now, replayed) => readings(parseJson(body, schema), now, replayed)
}

/** The numbers of a series, each of another day. */
export function inputsOf(
  name: string,
  rows: readonly { fecha: string; valor: number }[],
): Reading[] {
  const days = rows.map(({ fecha }) => isoDay(fecha))
  if (new Set(days).size < days.length) throw formatError('has a day twice')
  return rows.map(({ valor }, at) => ({
    kind: 'input',
    name,
    value: requirePrice(valor),
    day: days[at]!,
  }))
}

/** The quotes of a list, each pair once, and the usual pairs that it lacks. */
export function listOf(
  usual: readonly PairKey[],
  quotes: readonly Extract<Reading, { kind: 'quote' }>[],
): Reading[] {
  if (quotes.length === 0) throw emptyError('quotes none of our pairs')

  const quoted = new Set(quotes.map(({ pair }) => pair))
  if (quoted.size < quotes.length) throw formatError('quotes a pair twice')
  const missing = usual.filter((pair) => !quoted.has(pair))
  return [...quotes, ...missing.map((row): Reading => ({ kind: 'missing', row }))]
}
