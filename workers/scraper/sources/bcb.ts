import * as z from 'zod/mini'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { bcbPtaxAddress, lastDays } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { isoDay } from './parsing/dates.ts'
import { parseJson } from './parsing/json.ts'
import { requirePrice } from './parsing/number-text.ts'
import { formatError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

const payload = z.object({
  value: z.array(
    z.object({
      cotacaoVenda: z.number(),
      dataHoraCotacao: z.string(),
      tipoBoletim: z.string(),
    }),
  ),
})

const DAILY: Hours = { days: 'weekdays', windows: [[9 * 60, 20 * 60]] }

/** Brazil's closing PTAX, BRL per USD, fixed about 13:10 in Brasília; oldest first. */
export const bcb: Source = {
  name: 'bcb-ptax',
  rhythm: { everyMinutes: 60, hours: DAILY },
  request(now) {
    const { from, to } = lastDays(now)
    return { url: bcbPtaxAddress(from, to), headers: JSON_HEADERS }
  },
  parse(body) {
    const { value } = parseJson(body, payload)
    const closings = value.filter((row) => row.tipoBoletim === 'Fechamento')
    if (closings.length < value.length) throw formatError('has bulletins before the close')

    return closings.map((row): Reading => ({
      kind: 'input',
      name: 'BRL per USD',
      value: requirePrice(row.cotacaoVenda),
      day: isoDay(row.dataHoraCotacao),
    }))
  },
}
