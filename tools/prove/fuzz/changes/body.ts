import * as fc from 'fast-check'
import { parseJson } from '../../../support/parse-json.ts'
import { jsonBody } from '../grammar/route.ts'
import { json, text } from '../grammar/nasty.ts'
import type { Body, FuzzRequest } from '../request.ts'
import { type Change, change } from './change.ts'
import { weighted } from '../grammar/weighted.ts'
import { MAX_BODY_BYTES } from '../../../../workers/site/body-limit.ts'

const FIELDS = [
  ...'operationId url currency origin enabled receiverAuthorization version'.split(' '),
  ...'name prefix email otro __proto__ constructor toString'.split(' '),
  '',
  ...'jsonrpc id method params secret state'.split(' '),
]

const URLS = [
  ...'http://receptor.example/ https://localhost/ https://127.0.0.1/ https://[::1]/'.split(' '),
  'https:',
  ...'https://10.0.0.1/ https://169.254.169.254/ https://receptor.example:8443/'.split(' '),
  'https://a',
  ...'https://u:p@receptor.example/ https://receptor.example/#x'.split(' '),
  'https://receptor.example./',
  ...'https://0x7f.1/ https://xn--/ https://ñandú.example/'.split(' '),
  'https://receptor.example/💱',
  ...'https://receptor.example/% https://receptor.example\\@otra.example/'.split(' '),
  '//receptor.example/',
  ...'ftp://receptor.example/ https://receptor.example/\u0000'.split(' '),
  ' https://receptor.example/ ',
  `https://receptor.example/${'a'.repeat(2100)}`,
]

const TEXTS: Record<string, string> = {
  'empty body': '',
  'spaces only': '   ',
  'null body': 'null',
  'array body': '[]',
  'number body': '1',
  'text body': '"x"',
  'open object': '{',
  'open text': '{"version": "',
  'JSON with a comment': '{} // x',
  'single quotes': "{'version': 1}",
  'NaN in JSON': '{"version": NaN}',
  'number too large': '{"version": 1e999}',
  'version as text': '{"version": "1"}',
  'deep arrays': '['.repeat(8000),
  'deep arrays, closed': '['.repeat(8000) + ']'.repeat(8000),
  'deep objects': '{"a":'.repeat(3000),
  'deep objects, closed': `${'{"a":'.repeat(2700)}1${'}'.repeat(2700)}`,
  'key twice': '{"version": 1, "version": 2}',
  'key twice, escaped': '{"version": 1, "vers\\u0069on": 2}',
  'prototype key': '{"__proto__": {"version": 1}, "version": 1}',
  'byte order mark': '\ufeff{"version": 1}',
  'unknown encoding of a character': '{"url": "\\ud800"}',
  '16 KiB exactly': `{"version":1}${' '.repeat(MAX_BODY_BYTES - 13)}`,
  'a byte more than 16 KiB': `{"version":1}${' '.repeat(MAX_BODY_BYTES - 12)}`,
  '200 KB': `{"url":"${'a'.repeat(200_000)}"}`,
  'broken multipart': '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n1',
  multipart: '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n{{form}}\r\n--x--\r\n',
  'broken form': 'token={{form}}&%=%zz&&=&nombre=%ff%00&version=x',
  'form field twice': 'token={{form}}&token=x&version=1&version=2',
  'prototype form': '__proto__=1&constructor=x&token={{form}}&__proto__[x]=1&a.b=1&a[b]=1',
  'batch of calls': '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]',
  'unknown call': '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nada"}}',
  'odd call': '{"jsonrpc":"2.0","id":{},"method":"tools/call","params":[]}',
}

const field = fc
  .tuple(fc.constantFrom(...FIELDS), json)
  .map(([name, value]) => edit(`field ${name}`, (fields) => ({ ...fields, [name]: value })))
const ownField = fc
  .tuple(fc.nat(9), json)
  .map(([place, value]) => edit('field of its own', (fields) => replace(fields, place, value)))
const url = fc.constantFrom(...URLS).map((url) => edit('url', (fields) => ({ ...fields, url })))
const leftOut = fc.nat(9).map((place) => edit('field left out', (fields) => drop(fields, place)))
const whole = fc
  .constantFrom(...Object.entries(TEXTS))
  .map(([name, text]) => replaced(name, { text, encoding: 'utf8', framing: 'length' }))
const extended = text.map((text) => bodyAs('body extended', (b) => ({ ...b, text: b.text + text })))
const cut = fc.nat(60).map((at) => bodyAs('body cut', (b) => ({ ...b, text: b.text.slice(0, at) })))
const invalidUtf8 = fc
  .constantFrom('\u00ff', '\u00c0\u00af', '\u00ed\u00a0\u0080', '\u0080', '\u00f8\u0088')
  .map((bytes) =>
    bodyAs('invalid UTF-8', ({ text, ...body }) => ({
      ...body,
      text: text.replace(/"$|"(?=[,}])/, `${bytes}"`) + (text === '' ? bytes : ''),
      encoding: 'latin1',
    })),
  )
const utf16 = fc.constant(bodyAs('UTF-16', (b) => ({ ...b, encoding: 'utf16le' })))
const short = fc
  .constantFrom('short' as const, 'short chunks' as const)
  .map((framing) => bodyAs('shorter than announced', (b) => ({ ...b, framing })))
const chunked = fc.constant(bodyAs('chunked', (b) => ({ ...b, framing: 'chunked' })))

/** The body replaced, one field of it changed, its bytes or its framing. */
export const bodyChange: fc.Arbitrary<Change> = weighted(
  [4, field],
  [4, ownField],
  [2, url],
  [2, leftOut],
  [5, whole],
  [1, extended],
  [1, cut],
  [1, invalidUtf8],
  [1, utf16],
  [1, short],
  [3, chunked],
)

/** Changes the fields of a JSON object. A body that is not one becomes one. */
function edit(
  name: string,
  edit: (fields: Record<string, unknown>) => Record<string, unknown>,
): Change {
  return change(name, (request) => {
    const { text = '{}' } = request.body ?? {}
    const fields = (text.startsWith('{') && parseJson(text)) || {}
    return { ...request, body: jsonBody(edit(fields as Record<string, unknown>)) }
  })
}

function replace(fields: Record<string, unknown>, place: number, value: unknown) {
  const names = Object.keys(fields)
  const name = names[place % Math.max(1, names.length)] ?? 'version'
  return { ...fields, [name]: value }
}

function drop(fields: Record<string, unknown>, place: number) {
  const names = Object.keys(fields)
  return Object.fromEntries(
    Object.entries(fields).filter((_, index) => index !== place % Math.max(1, names.length)),
  )
}

function replaced(name: string, body: Body): Change {
  return change(name, (request): FuzzRequest => ({ ...request, body }))
}

function bodyAs(name: string, edit: (body: Body) => Body): Change {
  return change(name, (request) => ({
    ...request,
    body: edit(request.body ?? { text: '', encoding: 'utf8', framing: 'length' }),
  }))
}
