import * as z from 'zod/mini'
import { ALWAYS } from '../../../shared/market/market-hours.ts'
import { COMPARADOLAR_USDT } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { fitting, parseJson } from './parsing/json.ts'
import { offerOf, offerRow } from './offer.ts'
import { emptyError } from './parsing/source-error.ts'
import type { Source } from './source.ts'

const row = z.extend(offerRow, { slug: z.string().check(z.minLength(1)) })

/** USDT by exchange. Rows a thousand times too small have been seen; the median drops them. */
export const comparadolar: Source = {
  name: 'comparadolar',
  rhythm: { everyMinutes: 5, hours: ALWAYS },
  request: () => ({ url: COMPARADOLAR_USDT, headers: JSON_HEADERS }),
  parse(body) {
    const rows = fitting(parseJson(body, z.array(z.unknown())), row)
    if (rows.length === 0) throw emptyError('holds no offer')

    return rows.map((entry) => offerOf(entry.slug, entry))
  },
}
