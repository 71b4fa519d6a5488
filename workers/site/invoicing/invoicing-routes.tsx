import { Hono } from 'hono'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import { logFailure } from '../../../shared/log.ts'
import {
  findInvoicingCurrency,
  INVOICING_CURRENCIES,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import type { Deps, SiteContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { kept, OF_BOARD_AND_MINUTE } from '../kept/kept.ts'
import { InvoicingPage } from './invoicing-page.tsx'

const CACHE = 'public, max-age=60'
const MAX_AMOUNT_TEXT = 40

/**
 * `/facturacion?fecha=2026-03-02&moneda=usd&monto=1500,50`: a plain form that answers on the page
 * itself. It reads the database, so it has the limit of the API's date reads.
 */
export function invoicingRoutes({ now }: Pick<Deps, 'now'>) {
  const admit = createDateReadLimit('page:')
  const keep = kept(OF_BOARD_AND_MINUTE, ['fecha', 'moneda', 'monto'])

  return new Hono<SiteContext>().get('/', async (c) => {
    const instant = now()
    const { fecha, moneda, monto } = c.req.query()
    const date = parseIssueDate(fecha || null, instant)
    if (!date.ok) throw badRequest(date.refusal)
    const currency = findInvoicingCurrency(moneda ?? '') ?? INVOICING_CURRENCIES[0]

    const address = clientAddress(c.req.raw.headers, c.env)
    const admission = admit(c.env, { address, now: instant, context: c.executionCtx })
    if (!admission.allowed) {
      throw new HttpError(429, 'Demasiadas consultas, probá de nuevo en unos segundos', {
        retryAfter: admission.retryAfterSeconds,
      })
    }
    return keep(c, async () => {
      const codes = INVOICING_CURRENCIES.map(({ code }) => code)
      const known = await readInvoicing(c.env.DB, codes, date.value, instant).catch(
        (error: unknown) => {
          logFailure('invoicing_read_failed', error)
          throw new HttpError(503, 'No pudimos leer la tabla, probá de nuevo en un minuto', {
            retryAfter: 30,
          })
        },
      )
      const open = date.value > argentineDay(instant) && !isCloseKnown(instant, known)
      const query = { date: date.value, currency, amount: (monto ?? '').slice(0, MAX_AMOUNT_TEXT) }
      const { board, origin } = c.var
      const props = { query, known, open, mode: board?.mode ?? 'live', now: instant, origin }
      c.res = await c.html(<InvoicingPage {...props} />, 200, { 'Cache-Control': CACHE })
    })
  })
}
