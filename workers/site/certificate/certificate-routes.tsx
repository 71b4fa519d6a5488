import { Hono } from 'hono'
import { parseDateQuery } from '../../../shared/market/date-query.ts'
import { readQuery } from '../../../shared/query.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'
import { readBoard } from '../board/read-board.ts'
import { pairPath } from '../board/words.ts'
import type { Deps, SiteContext } from '../context.ts'
import type { LimitDates } from '../date/date-limit.ts'
import { readEvidence } from '../db/certificate.ts'
import { badRequest, databaseOutOfReach, HttpError } from '../errors.ts'
import { pairOf } from '../pair/pair-of.ts'
import { CertificatePage } from './certificate-page.tsx'

/** The page shows when it was made. */
const CACHE = 'private, no-cache'

/** `/constancia/usd/blue/2024-06-05?hora=12:00`: a value to print, with its proof. */
export function certificateRoutes({
  now,
  limitDates,
}: Pick<Deps, 'now'> & { limitDates: LimitDates }) {
  return new Hono<SiteContext>().get('/:currency/:origin/:day', async (c) => {
    const pair = pairOf(c)
    if (!pair) throw new HttpError(404, QUOTE_NOT_FOUND)

    const query = readQuery(c.req.raw, ['hora', 'huella'])
    const instant = now()
    // A form also sends empty fields.
    const time = query.get('hora') || null
    const wanted = { date: c.req.param('day'), time, maxAge: null }
    const parsed = parseDateQuery(wanted, instant)
    if (!parsed.ok) throw badRequest(parsed.refusal)
    const printed = query.get('huella')
    if (printed !== null && !/^[0-9a-f]{64}$/.test(printed))
      throw badRequest('La huella debe ser un SHA-256: 64 cifras hexadecimales')

    const { day, effectiveAt } = parsed.value
    const path = `/constancia${pairPath(pair)}/${day}`
    if (c.req.path !== path) return c.redirect(`${path}${new URL(c.req.url).search}`, 301)

    limitDates(c)
    const [board, evidence] = await Promise.all([
      readBoard(c.env, instant),
      orThrow(
        readEvidence(c.env.DB, { pair, day, instant: effectiveAt }),
        'certificate_read_failed',
        databaseOutOfReach,
      ),
    ])
    const { point, ...proof } = evidence
    if (!point) throw new HttpError(404, 'En ese momento todavía no había datos de esta cotización')

    const props = { pair, day, time, effectiveAt, point, proof, printed, path }
    const mode = board?.mode ?? 'live'
    const page = <CertificatePage {...props} mode={mode} now={instant} origin={c.var.origin} />
    return c.html(page, 200, { 'Cache-Control': CACHE })
  })
}
