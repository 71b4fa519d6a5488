import * as fc from 'fast-check'
import { text } from '../grammar/nasty.ts'
import type { Header } from '../request.ts'
import { type Change, change, without } from './change.ts'
import { weighted } from '../grammar/weighted.ts'

const MISTYPED = 'cot_00000000_0000000000000000000000000000000000000000000'

/** The name of the change that acts for somebody else. */
export const OTHERS_KEY = "another account's key"

const PRESENTED: Record<string, readonly Header[]> = {
  'Bearer in another case': [['Authorization', 'bEARER {{key}}']],
  'two spaces': [['Authorization', 'Bearer  {{key}}']],
  [OTHERS_KEY]: [['x-api-key', '{{otherKey}}']],
  'equal keys': [
    ['Authorization', 'Bearer {{key}}'],
    ['x-api-key', '{{key}}'],
  ],
}

/** Invalid ways (decision 17: several or odd credentials). */
const REFUSED: Record<string, readonly Header[]> = {
  'no key': [],
  'a tab': [['Authorization', 'Bearer\t{{key}}']],
  'key without scheme': [['Authorization', '{{key}}']],
  'Basic scheme': [['Authorization', 'Basic dXNlcjpwYXNz']],
  'empty Authorization': [['Authorization', '']],
  'Bearer alone': [['Authorization', 'Bearer']],
  'revoked key': [['Authorization', 'Bearer {{revoked}}']],
  'mistyped key': [['x-api-key', MISTYPED]],
  'key with a comma': [['x-api-key', '{{key}},']],
  'different keys': [
    ['Authorization', 'Bearer {{key}}'],
    ['x-api-key', '{{otherKey}}'],
  ],
  'Authorization twice': [
    ['Authorization', 'Bearer {{key}}'],
    ['Authorization', 'Bearer {{key}}'],
  ],
  'long key': [['x-api-key', 'k'.repeat(9000)]],
  'inherited look': [['x-api-key', 'sk_live_0123456789']],
  'cookie instead': [['Cookie', '{{cookie}}']],
}

const COOKIES: Record<string, string> = {
  'session twice': '{{cookie}}; {{cookieName}}=x',
  'session among others': 'a=1; {{cookie}}; b=2',
}

const CLOSED: Record<string, string> = {
  'no cookie': '',
  'forged session': '{{cookieName}}=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.x',
  'session with a wrong signature': '{{cookie}}x',
  'session cut short': '{{cookieName}}={{uuid}}',
  'empty session': '{{cookieName}}=',
  'broken escape': '{{cookieName}}=%; a=%zz%ff',
  'cookie without name': '=x; ; ;;, =',
  'many cookies': 'c=1; '.repeat(800),
  'long cookie': `{{cookieName}}=${'x'.repeat(9000)}`,
  'prototype cookies': '__proto__=1; constructor=x; toString=1',
  'other cookies of the library': 'cuenta.session_data=e30; cuenta.state=x; cuenta.dont_remember=1',
  'quoted cookie': '{{cookieName}}="x"',
}

const presented = fc.constantFrom(...Object.entries(PRESENTED)).map(presenting)
const refused = fc
  .constantFrom(...Object.entries(REFUSED))
  .map((entry) => ({ ...presenting(entry), denies: 'key' as const }))
const cookie = fc.constantFrom(...Object.entries(COOKIES)).map(withCookie)
const closed = fc
  .constantFrom(...Object.entries(CLOSED))
  .map((entry) => ({ ...withCookie(entry), denies: 'session' as const }))
const any = text.map((value) => presenting(['any Authorization', [['Authorization', value]]]))

export const credentialChange: fc.Arbitrary<Change> = weighted<Change>(
  [2, presented],
  [6, refused],
  [1, cookie],
  [6, closed],
  [2, any],
)

function presenting([name, headers]: readonly [string, readonly Header[]]): Change {
  return change(name, (request) => ({
    ...request,
    headers: [...without(request.headers, 'authorization', 'x-api-key'), ...headers],
  }))
}

function withCookie([name, value]: readonly [string, string]): Change {
  return change(name, (request) => ({
    ...request,
    headers: [
      ...without(request.headers, 'cookie'),
      ...(value === '' ? [] : [['Cookie', value] as const]),
    ],
  }))
}
