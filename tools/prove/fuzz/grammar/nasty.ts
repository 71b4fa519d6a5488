/** Values that often break services, for any place that takes a text or a JSON value. */
import * as fc from 'fast-check'
import { weighted } from './weighted.ts'

/** Markup of ours. A page that contains it did not escape a text. */
export const MARKUP = '<fz onload='

const LONG = 'a'.repeat(5000)

/** Texts of the kinds that parsers, databases and templates stumble over. */
const TEXTS = [
  ['', ' ', '0', '-0', '-1', '00', '1', '1.5', '1e3', '1e999', '0x10', '+1', '1_000', '5;', '٣'],
  ['５', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', '[]', '{}', '*'],
  ['9007199254740991', '9007199254740993', '18446744073709551616', '9'.repeat(400)],
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length'],
  ["'", '"', '`', '\\', "' OR 1=1--", "'; DROP TABLE points;--", '") OR ("1"="1', '%', '_'],
  [`${MARKUP}1>`, `"'>${MARKUP}1>`, '{{7*7}}', '${7*7}', '<!--', ']]>', '&lt;', '&#x0;'],
  ['../../etc/passwd', '..\\..\\x', '/', '//', '.', '..', '~', 'file:///etc/passwd'],
  ['\u0000', 'a\u0000b', '\r\n', 'a\r\nX-Fz: 1', '\t', '\u001b[2J', '\u007f', '\u0085'],
  ['ñ', 'é', 'e\u0301', 'K', 'ı', 'ß', 'ﬀ', '💱', '👩‍👩‍👧', '\u202eusd', '\ufeff', '\ufffd', '\uffff'],
  ['usd', 'USD', 'blue', 'BLUE', 'usd/blue', 'USD/BLUE', 'usd,blue', 'v1:1', 'v1:0', 'v1:', 'v2:1'],
  ['v1:-1', 'v1:99999999999999999999', 'pending', 'csv', 'CSV', 'json', 'desc', 'now()'],
  ['00000000-0000-0000-0000-000000000000', '{{webhook}}', '{{uuid}}', '{{email}}'],
  ['http://127.0.0.1/', 'https://[::1]/', 'https://receptor.example/x', 'javascript:alert(1)'],
  LONG,
  '💱'.repeat(500),
].flat()

const TIMES = [
  ['2026-02-29', '2024-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00'],
  ['0000-00-00', '0000-01-01', '0001-01-01', '0099-12-31', '1900-01-01', '1969-12-31'],
  ['9999-12-31', '10000-01-01', '+020000-01-01', '-000001-01-01', '-2026-01-01', '275760-09-13'],
  ['2026-1-1', '26-01-01', '2026/01/01', '20260101', '01-01-2026', '2026-01-01T00:00:00Z'],
  ['2026-01-01 00:00', '2026-01', '2026', 'today', 'hoy', '{{day:0}}', '{{day:1}}', '{{day:9999}}'],
  ['00:00', '23:59', '24:00', '12:60', '23:59:59', '23:59:60', '1:00', '12', '12:00:00.000'],
  ['12:00Z', '-1:00', '12:00 ', '１２:００', '1795245149', '1795245149908', '-62135596800000'],
].flat()

export const text: fc.Arbitrary<string> = weighted(
  [6, fc.constantFrom(...TEXTS)],
  [3, fc.constantFrom(...TIMES)],
  [1, fc.string({ unit: 'grapheme', maxLength: 40 })],
  [1, fc.integer({ min: -1e6, max: 1e9 }).map(String)],
)

/** A text for a path or a query: escaped, or with a wrong escape. */
export const escaped: fc.Arbitrary<string> = weighted(
  [8, text.map(escapeText)],
  [
    1,
    fc.constantFrom(
      ...'% %% %2 %zz %ff %c0%af %ed%a0%80 %e0%a4%a %00 %u0041 + %25 %2525 %2e%2e %2f %5c'.split(
        ' ',
      ),
      ...'%252e%252e%252f %0d%0aX-Fz:%201 %20 %09'.split(' '),
    ),
  ],
)

const NUMBERS = [0, -0, -1, 1, 1.5, 1e308, 2 ** 53, 2 ** 53 - 1, -(2 ** 63), 1e-7]
const SHAPES = [null, true, '', '\ud800', [], {}, [[]], { a: 1 }, ['usd'], '{{#version}}']

/** JSON values of every type and of uncomfortable sizes. */
export const json: fc.Arbitrary<unknown> = weighted(
  [4, text],
  [4, fc.constantFrom<unknown>(...NUMBERS, ...SHAPES)],
  [1, fc.integer({ min: 1, max: 60 }).map(nested)],
  [1, fc.jsonValue({ maxDepth: 3 })],
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Tokens stay as they are: they are filled in later with values that need no escape. */
export function escapeText(text: string): string {
  return text
    .split(/(\{\{#?\w+(?::-?\d+)?\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
}
