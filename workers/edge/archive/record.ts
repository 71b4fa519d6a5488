/** The record: its manifests with their signatures, its public keys, and the file of each day. */
import { isDay, isSettled } from '../../../shared/argentine-time.ts'
import { KEYS_PATH, MANIFEST_NAME, readStoredManifest } from '../../../shared/board/record.ts'
import { readDayFile } from '../../../shared/db/quotes/day-files.ts'
import { notFound } from '../../../shared/http-error.ts'
import { refuseQuery } from '../../../shared/query.ts'
import { SERVICE_UNAVAILABLE } from '../../../shared/sentences.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { Hono } from '../hono.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { manifestOf, respondOf } from './files.ts'

/** The last manifest, by this name. */
const LAST = 'ultimo'
/** A manifest or its signature. */
const FILE = /^(.+?)(\.json|\.json\.sig)$/

export function recordRoutes({ now, dateRateLimit }: Pick<AppDeps, 'now' | 'dateRateLimit'>) {
  return new Hono<EdgeContext>()
    .get(KEYS_PATH, async (c) => {
      refuseQuery(c.req.raw)
      const manifest = await manifestOf(c)
      return respondOf(manifest, c, JSON.stringify({ keys: manifest.keys }), 'application/json')
    })
    .get('/datos/manifiestos/:manifest', async (c) => {
      const [, wanted = '', ending] = FILE.exec(c.req.param('manifest')) ?? []
      refuseQuery(c.req.raw)
      // Before the first is published the response is 503, as for the files.
      const manifest = await manifestOf(c)
      const name = wanted === LAST ? manifest.record!.name : wanted
      const stored = MANIFEST_NAME.test(name) ? await readStoredManifest(c.env.BOARD, name) : null
      const body = ending === '.json' ? stored?.body : stored?.signature
      if (!body) throw notFound()
      return ending === '.json'
        ? respondOf(manifest, c, body, 'application/json')
        : respondOf(manifest, c, `${body}\n`, 'text/plain; charset=utf-8')
    })
    .get('/datos/dias/:dayFile', dateRateLimit, async (c) => {
      const file = c.req.param('dayFile')
      const day = file.slice(0, -'.csv'.length)
      if (!file.endsWith('.csv') || !isDay(day)) throw notFound()
      refuseQuery(c.req.raw)
      const manifest = await manifestOf(c)
      if (day < manifest.firstDay || !isSettled(day, now())) throw notFound()
      const body = await orUnavailable(readDayFile(c.env.DB, day), SERVICE_UNAVAILABLE)
      return respondOf(manifest, c, body, 'text/csv; charset=utf-8')
    })
}
