import { MARKUP } from '../grammar/nasty.ts'
import { headerOf } from '../request.ts'
import type { Rule } from './rule.ts'

/** What only our own insides would say. */
const INSIDES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\n\s+at .+[:(]\d+:\d+/],
  ['a source file', /[\w-]\.(?:ts|tsx|mjs|c\+\+):\d+/],
  ['an exception', /\b(?:Type|Range|Reference|Syntax|Zod|Drizzle\w*|Sqlite|API|Assertion)Error\b/],
  ['the database', /D1_|SQLITE_|no such (?:table|column)|UNIQUE constraint|too many SQL variables/],
  ['SQL', /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE)\b.{1,200}\b(?:FROM|VALUES|WHERE|SET)\b/s],
  ['a library', /node_modules|\bworkerd\b|miniflare|drizzle|better-?auth/i],
  [
    'a fault of the code',
    /Cannot read propert|is not a function|is not iterable|Illegal invocation/,
  ],
  ['a printed object', /\[object \w+\]/],
]

const KEY = /cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}/
/** Where a key is shown, once, to its owner. */
const ISSUES_KEY = /^\/(?:api\/account\/keys|cuenta\/claves)(?:\/|$)/

/** Nothing of our insides, nobody's key, and no markup that a client sent. */
export const leaks: Rule = ({ path }, { status, headers, body }) => {
  const type = headerOf(headers, 'content-type') ?? ''
  if (/javascript|text\/css/.test(type)) return []
  const text = body.toString()

  return [
    ...INSIDES.filter(([, pattern]) => pattern.test(text)).map(
      ([what]) => `the body shows ${what}`,
    ),
    ...(KEY.test(text) && !(status < 300 && ISSUES_KEY.test(path)) ? ['the body shows a key'] : []),
    ...(/html|svg|xml/.test(type) && text.includes(MARKUP)
      ? ['markup of the request stands in the page']
      : []),
    ...(headerOf(headers, 'x-fz') === undefined ? [] : ['a header of the request was let through']),
  ]
}
