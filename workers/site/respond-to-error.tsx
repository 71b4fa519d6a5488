import type { Context } from 'hono'
import { HttpError, refusalHeaders, unavailable, unforeseenError } from '../../shared/http-error.ts'
import type { SiteContext } from './context.ts'
import { CardPage } from './layout.tsx'

export const databaseOutOfReach = () =>
  unavailable('No pudimos leer ni guardar los datos, probá de nuevo en unos segundos', 10)

/** Responds to every error: with the Error object under `/api/`, with a page everywhere else. */
export function respondToError(
  error: Error,
  c: Context<SiteContext>,
): Response | Promise<Response> {
  const refusal =
    error instanceof HttpError
      ? error
      : unforeseenError(error, c.var.databaseFailed(), databaseOutOfReach)

  const { status, message } = refusal
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) c.header(name, value)
  if (c.req.path.startsWith('/api/')) return c.json({ error: message }, status)

  const way = status === 404 ? '/' : c.req.path.startsWith('/cuenta') ? '/cuenta' : '/estado'
  c.status(status)
  return c.render(
    <CardPage title={titleOf(status)}>
      <p>{message}.</p>
      <p>
        <a href={way}>{way === '/estado' ? 'Ver el estado del servicio' : 'Volver'}</a>
      </p>
    </CardPage>,
  )
}

function titleOf(status: number): string {
  if (status === 404) return 'No está acá'
  if (status === 429) return 'Demasiados pedidos'
  return status >= 500 ? 'Algo falló' : 'No se pudo hacer'
}
