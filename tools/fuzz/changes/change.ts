import type { FuzzRequest, Header, Need } from '../request.ts'

/** One thing that is wrong, odd or merely unusual about a request that was good. */
export interface Change {
  name: string
  apply: (request: FuzzRequest) => FuzzRequest
  /** What it takes from a request: without it, a route that asks for it must refuse. */
  denies?: Need
}

export function change(name: string, apply: Change['apply']): Change {
  return { name, apply }
}

export function applyAll(request: FuzzRequest, changes: readonly Change[]): FuzzRequest {
  const changed = changes.reduce((current, { apply }) => apply(current), request)
  const [only, ...more] = changes
  return {
    ...changed,
    changes: changes.map(({ name }) => name),
    // Beside other changes it might be refused for them, or be another route's.
    denied: more.length === 0 && request.needs !== null && only?.denies === request.needs,
  }
}

/** The headers without those of a name. */
export function without(headers: readonly Header[], ...names: string[]): Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}

/** The request with a header instead of those of the same name. */
export function withHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  const headers: Header[] = [...without(request.headers, name.toLowerCase()), [name, value]]
  return { ...request, headers }
}

/** The request with one more header. */
export function plusHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  return { ...request, headers: [...request.headers, [name, value]] }
}
