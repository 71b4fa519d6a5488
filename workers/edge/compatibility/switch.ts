import { setting } from '../../../shared/config/config.ts'
import { orAbsent } from '../../../shared/config/or-absent.ts'

const known = new Map<string | undefined, boolean>()

/**
 * Whether `COMPATIBILITY` is on; each value is parsed once per isolate. A wrong value is logged and
 * counts as off, because it must not cost the reads.
 */
export function hasCompatibility(text: string | undefined): boolean {
  let isOn = known.get(text)
  if (isOn === undefined) {
    isOn = orAbsent(() => setting({ COMPATIBILITY: text }, 'COMPATIBILITY')) === 'on'
    known.set(text, isOn)
  }
  return isOn
}

/** Whether a path may be a compatibility address: all of them begin so, and none of ours. */
export function isCompatibilityPath(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/v2/')
}

/** The originals accept every path with a slash at its end too. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

export function requestWithoutSlash(request: Request, path: string): Request {
  if (!path.endsWith('/')) return request

  const end = request.url.indexOf(path) + path.length
  return new Request(request.url.slice(0, end - 1) + request.url.slice(end), request)
}
