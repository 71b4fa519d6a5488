import * as fc from 'fast-check'
import { type Change, change } from './change.ts'
import { weighted } from '../grammar/weighted.ts'
import { escaped } from '../grammar/nasty.ts'

/** All methods of the runtime's parser but CONNECT, and some unknown ones. */
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

const SEGMENTS = [
  ...'. .. %2e %2e%2e %2f %5c %00 %ff % %zz %25 ;x=1 ~'.split(' '),
  '',
  ...'* v2 api API history date auth account webhooks mcp usd blue'.split(' '),
  ...'%E2%84%AA %C3%B1 %F0%9F%92%B1 %EF%BB%BF %E2%80%AE %20 + __proto__'.split(' '),
  ...'constructor index.html favicon.ico {{webhook}} {{uuid}} {{day:0}}'.split(' '),
]

const segment = fc.oneof(fc.constantFrom<string>(...SEGMENTS), escaped)

/** Targets that are not a path: RFC 9112, section 3.2, and what merely looks like it. */
const FORMS = [
  (path: string) => `http://otra.example${path}`,
  (path: string) => `https://[::1]${path}`,
  (path: string) => `//otra.example${path}`,
  (path: string) => `${path}#x`,
  (path: string) => path.slice(1),
  (path: string) => path.replaceAll('/', '\\'),
  (path: string) => `${path} x`,
  (path: string) => `${path}\u0000`,
  (path: string) => `${path}\u00f1💱`,
  () => '*',
]

/** The path of a target, without its query, changed in one place. */
export const pathChange: fc.Arbitrary<Change> = fc.oneof(
  onSegments('segment put in', segment, (segments, at, value) => segments.toSpliced(at, 0, value)),
  onSegments('segment replaced', segment, (segments, at, value) => segments.with(at, value)),
  onSegments('segment taken out', segment, (segments, at) => segments.toSpliced(at, 1)),
  onSegments('segment doubled', segment, (segments, at) =>
    segments.toSpliced(at, 0, segments[at]!),
  ),
  onSegments('segment extended', segment, (segments, at, value) =>
    segments.with(at, segments[at]! + value),
  ),
  onSegments('segment in other case', segment, (segments, at) =>
    segments.with(at, segments[at]!.toUpperCase()),
  ),
  onSegments('character escaped', segment, (segments, at, value) => {
    const text = segments[at]!
    const index = value.length % Math.max(1, text.length)
    const code = text.charCodeAt(index)
    if (text.includes('{{') || Number.isNaN(code)) return segments
    const escape = `%${code.toString(16).padStart(2, '0')}`
    return segments.with(at, text.slice(0, index) + escape + text.slice(index + 1))
  }),
  pathAs('slash at the end', (path) => `${path}/`),
  pathAs('slashes doubled', (path) => path.replaceAll('/', '//')),
  pathAs('dot segments', (path) => `/x/..${path}/./y/..`),
  fc
    .constantFrom(100, 2000, 8000, 30_000)
    .chain((length) => pathAs(`path of ${length}`, (path) => `${path}/${'a'.repeat(length)}`)),
  fc.constantFrom(...FORMS).chain((form) => pathAs('target form', form)),
)

function onSegments(
  name: string,
  value: fc.Arbitrary<string>,
  edit: (segments: string[], at: number, value: string) => string[],
): fc.Arbitrary<Change> {
  return fc.tuple(fc.nat(20), value).map(([place, value]) =>
    change(name, (request) => {
      const [path, query] = parts(request.target)
      const segments = path.slice(1).split('/')
      return {
        ...request,
        target: `/${edit(segments, place % segments.length, value).join('/')}${query}`,
      }
    }),
  )
}

function pathAs(name: string, edit: (path: string) => string): fc.Arbitrary<Change> {
  return fc.constant(
    change(name, (request) => {
      const [path, query] = parts(request.target)
      return { ...request, target: edit(path) + query }
    }),
  )
}

/** The path, and the query with its question mark. */
function parts(target: string): [path: string, query: string] {
  const at = target.indexOf('?')
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at)]
}

const NAMES = [
  ...'time max_age format from to limit pairs webhookId deliveryId'.split(' '),
  ...'status cursor aviso token desde prueba monto par lado todo'.split(' '),
  ...'code state otro api_key x-api-key __proto__ constructor'.split(' '),
  '',
  '%',
  'a[b]',
]

const name = fc.constantFrom(...NAMES)

/** Ranges that end before they begin, and others that only look right. */
const QUERIES = [
  ...'from=2026-02-01&to=2026-01-01 from={{day:0}}&to={{day:-1}} from={{day:30}}'.split(' '),
  ...'from=0000-01-01&to=9999-12-31 limit=0 limit=501 limit=-1 limit=1e2 limit=NaN'.split(' '),
  ...'limit= limit=010 limit=1&limit=1 time=12:00&time=12:00 time=25:00 time={{day:0}}'.split(' '),
  ...'max_age=-1 max_age=1.5 max_age=NaN max_age=1e400 max_age=9007199254740993'.split(' '),
  ...'cursor=v1:0 cursor=v1: cursor=v1:9007199254740993 cursor=1 status= status=PENDING'.split(' '),
  ...'pairs= pairs=, pairs=usd pairs=usd/ pairs=usd/blue,usd/blue pairs=clp/blue'.split(' '),
  ...'format=xml format=csv&format=csv &&& = ? % %00=%00 a=b;c=d # +'.split(' '),
]

/** Something added to the query, doubled in it, or instead of it. */
export const queryChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(name, escaped).map(([name, value]) => add('parameter added', `${name}=${value}`)),
  fc.constantFrom(...QUERIES).map((text) => add('query added', text)),
  escaped.map((text) => add('query text added', text)),
  fc.tuple(fc.nat(9), escaped).map(([place, value]) =>
    change('parameter value replaced', (request) => {
      const [path = '', query = ''] = request.target.split('?')
      const fields = query.split('&')
      const at = place % fields.length
      const name = fields[at]!.split('=')[0] ?? ''
      return { ...request, target: `${path}?${fields.with(at, `${name}=${value}`).join('&')}` }
    }),
  ),
  fc.constantFrom(100, 3000, 30_000).map((length) => add('long query', `x=${'a'.repeat(length)}`)),
  fc.constantFrom(50, 2000).map((count) => add('many parameters', 'time=1&'.repeat(count))),
)

function add(name: string, text: string): Change {
  return change(name, (request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${text}`,
  }))
}
