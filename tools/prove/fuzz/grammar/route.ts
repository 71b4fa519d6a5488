import * as fc from 'fast-check'
import { escapeText } from './nasty.ts'
import type { Body, FuzzRequest, Header, Need } from '../request.ts'
import type { Described } from '../openapi/described.ts'
import { weighted } from './weighted.ts'

export interface Draft {
  target: string
  headers?: readonly Header[]
  json?: unknown
  form?: Record<string, string>
  /** The statuses of this request, where they are not those of its route. */
  accepts?: readonly number[]
  operation?: Described
}

export interface Route {
  label: string
  weight: number
  good: fc.Arbitrary<FuzzRequest>
}

export interface RouteOptions {
  /** How often the route is chosen, relative to the others; 2 when absent. */
  weight?: number
  /** The credential that it needs; absent for a public route. */
  needs?: Need
  /** The statuses of a good request, whatever state the service is in. */
  accepts: readonly number[]
}

/** `GET /path` and how its good requests are made. */
export function route(label: string, options: RouteOptions, draft: fc.Arbitrary<Draft>): Route {
  const { weight = 2, needs, accepts } = options
  const method = label.slice(0, label.indexOf(' '))

  const good = fc
    .record({ draft, account: fc.nat(9999), address: clientAddress, bearer: fc.boolean() })
    .map(({ draft, account, address, bearer }) => {
      const { target, headers = [], json, form } = draft
      const body = json !== undefined ? jsonBody(json) : form ? formBody(form) : null
      return {
        route: label,
        method,
        target,
        headers: [
          ...headers,
          ...addressHeader(address),
          ...(needs === 'key' ? [keyHeader(bearer)] : []),
          ...(needs === 'session' ? [['Cookie', '{{cookie}}'] as const] : []),
          ...(form ? ([['Origin', '{{origin}}']] as const) : []),
          ...typeHeader(json, form),
        ],
        body,
        account,
        needs: needs ?? null,
        denied: false,
        changes: [],
        accepts: draft.accepts ?? accepts,
        operation: draft.operation ?? null,
      } satisfies FuzzRequest
    })
  return { label, weight, good }
}

/** JSON of a value. The text `{{#token}}` stands for a number and loses its quotes. */
export function jsonBody(value: unknown): Body {
  return { text: JSON.stringify(value) ?? '', encoding: 'utf8', framing: 'length' }
}

function formBody(fields: Record<string, string>): Body {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${escapeText(value)}`)
    .join('&')
  return { text, encoding: 'utf8', framing: 'length' }
}

/**
 * Many client addresses, so that limits per address do not hide everything else. Some requests
 * share one.
 */
const clientAddress = weighted(
  [40, fc.ipV4()],
  [4, fc.ipV6()],
  [1, fc.constantFrom('198.51.100.7', '', '::1', 'nadie')],
)

function addressHeader(address: string): Header[] {
  return address === '' ? [] : [['CF-Connecting-IP', address]]
}

function keyHeader(bearer: boolean): Header {
  return bearer ? ['Authorization', 'Bearer {{key}}'] : ['x-api-key', '{{key}}']
}

function typeHeader(json: unknown, form: unknown): Header[] {
  if (json !== undefined) return [['Content-Type', 'application/json']]
  return form ? [['Content-Type', 'application/x-www-form-urlencoded']] : []
}
