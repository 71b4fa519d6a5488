import * as fc from 'fast-check'
import { type Change, change } from './change.ts'
import { weighted } from '../grammar/weighted.ts'

/** All that the runtime's parser knows but CONNECT, and some that it does not. */
const METHODS = [
  ...'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PURGE COPY LOCK'.split(' '),
  ...'MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK REPORT MERGE NOTIFY'.split(' '),
  ...'get FOO POSTT G X-Y'.split(' '),
]

export const methodChange: fc.Arbitrary<Change> = weighted(
  [3, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')],
  [1, fc.constant('OPTIONS')],
  [2, fc.constantFrom(...METHODS)],
).map((method) => change(`method ${method}`, (request) => ({ ...request, method })))
