import { parseCompatibility } from '../../../shared/config/config.ts'
import { orAbsent } from '../../../shared/config/or-absent.ts'

const known = new Map<string | undefined, boolean>()

/**
 * Whether `COMPATIBILITY` is on; read once an isolate. A wrong value is logged and counts as off: it
 * must not cost the pages behind these paths.
 */
export function hasCompatibility(text: string | undefined): boolean {
  let isOn = known.get(text)
  if (isOn === undefined) {
    isOn = orAbsent(() => parseCompatibility(text)) === 'on'
    known.set(text, isOn)
  }
  return isOn
}

/** Whether a path may be one of a peer's: all of theirs begin so, and none of ours. */
export function isPeerPath(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/v2/')
}

/** The peers' hosts take every path with a slash at its end too. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

export function requestWithoutSlash(request: Request, path: string): Request {
  if (!path.endsWith('/')) return request

  const end = request.url.indexOf(path) + path.length
  return new Request(request.url.slice(0, end - 1) + request.url.slice(end), request)
}
