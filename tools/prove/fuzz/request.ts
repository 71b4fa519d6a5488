import type { Described } from './openapi/described.ts'

/** A request of the grammar, with tokens in place of the running service's values. */
export interface FuzzRequest {
  /** The route that is meant, as the table names it. */
  route: string
  method: string
  target: string
  headers: readonly Header[]
  body: Body | null
  /** The account whose values fill the tokens: an index, taken modulo the number of accounts. */
  account: number
  /** What its route asks for; null for a public one. */
  needs: Need | null
  /** Whether its only change removes that, so that it must be refused. */
  denied: boolean
  /** The changes to a good request, by name; without any it must be served. */
  changes: readonly string[]
  /** The statuses that it may get without changes, whatever the state of the service. */
  accepts: readonly number[]
  /** What it must be answered as without changes; null where no document describes it. */
  operation: Described | null
}

export type Header = readonly [name: string, value: string]
export type Need = 'key' | 'session'

export interface Body {
  text: string
  /** `latin1` sends every character as one byte: not always UTF-8. */
  encoding: 'utf8' | 'latin1' | 'utf16le'
  /** The short ones announce more than they send, and end. */
  framing: 'length' | 'chunked' | 'short' | 'short chunks'
}

export interface SentRequest {
  method: string
  target: string
  headers: readonly Header[]
  body: Uint8Array | null
  framing: Body['framing']
}

/** Puts the values of the running service in place of the tokens. */
export function fillRequest(request: FuzzRequest, fill: (text: string) => string): SentRequest {
  const { method, target, headers, body } = request
  return {
    method,
    target: fill(target),
    headers: headers.map(([name, value]) => [name, fill(value)]),
    body: body && Buffer.from(fill(body.text), body.encoding),
    framing: body?.framing ?? 'length',
  }
}

/** The value of a header in any letter case, the first where there are several. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
}
