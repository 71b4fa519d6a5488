import * as fc from 'fast-check'
import { escaped } from '../grammar/nasty.ts'
import { type Change, change } from './change.ts'

/** Put between, before or instead of segments. */
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
