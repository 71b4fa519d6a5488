import type { FuzzRequest, Header, Need } from '../request.ts'

/** One thing that is wrong, odd or merely unusual about a request that was good. */
export interface Change {
  name: string
  apply: (request: FuzzRequest) => FuzzRequest
  /** The credential that it removes from a request: a route that needs it must then refuse. */
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
    // Together with other changes the refusal may have another reason, or come from another route.
    denied: more.length === 0 && request.needs !== null && only?.denies === request.needs,
  }
}

export function without(headers: readonly Header[], ...names: string[]): Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}

export function withHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  const headers: Header[] = [...without(request.headers, name.toLowerCase()), [name, value]]
  return { ...request, headers }
}

export function plusHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  return { ...request, headers: [...request.headers, [name, value]] }
}
