import { matchesEtag } from '../http/etag.ts'
import type { Answer } from './answer.ts'

/** A kept answer as a response: 304 to who holds it, no body for HEAD, `notFound` where it is null. */
export function respond(
  request: Request,
  { body, etag, whole, unchanged }: Answer,
  notFound: () => Response,
): Response {
  if (body === null) return notFound()
  if (matchesEtag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, unchanged)
  }
  return new Response(request.method === 'HEAD' ? null : body, whole)
}
