import * as fc from 'fast-check'
import { text } from '../grammar/nasty.ts'
import { type Change, change, plusHeader, withHeader } from './change.ts'
import { weighted } from '../grammar/weighted.ts'

const LONG = 'a'.repeat(9000)

const VALUES: Record<string, readonly string[]> = {
  Accept: [
    ...'*/* application/json application/* text/html text/csv image/svg+xml'.split(' '),
    '',
    ...'application/json;q=0 application/json;q=2 ;,;'.split(' '),
    'text/html;q=0.1, application/json',
    ...'text/event-stream text/csv;q=nan APPLICATION/JSON'.split(' '),
    `${'a/b,'.repeat(2000)}`,
  ],
  'Accept-Encoding': ['gzip', 'br', 'deflate', 'identity;q=0', '*;q=0', 'gzip;q=x', 'zstd', ''],
  'Accept-Language': ['en', 'es-AR', '*', 'xx-'],
  'Content-Type': [
    'application/json',
    'APPLICATION/JSON; CHARSET=UTF-8',
    'application/json; charset=utf-16',
    ...'application/json;charset="utf-8" application/problem+json text/plain'.split(' '),
    'text/json',
    '',
    ...'application/x-www-form-urlencoded multipart/form-data'.split(' '),
    'multipart/form-data; boundary=',
    ...'; /'.split(' '),
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
  ],
  'If-None-Match': [
    ...'* W/* " "" W/"x" "a","b" x'.split(' '),
    `"${LONG}"`,
    '"a",'.repeat(2000),
    '*, "a"',
  ],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'ayer', '-1'],
  'If-Match': ['*', '"x"'],
  Range: ['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'items=1', 'bytes=99999999999-'],
  Origin: ['null', 'https://otra.example', '{{origin}}', 'http://', '*', `https://${LONG}`],
  'Sec-Fetch-Site': ['same-origin', 'cross-site', 'none', 'same-site', 'x'],
  Referer: ['https://otra.example/', '{{origin}}/cuenta', ':'],
  'CF-Connecting-IP': [
    ...'198.51.100.7 ::1 ::ffff:192.0.2.1 2001:db8::1%eth0 1.2.3 999.1.1.1 x'.split(' '),
    '',
    ...'::::: 2001:db8:::1'.split(' '),
    '1.2.3.4, 5.6.7.8',
    LONG,
  ],
  'X-Forwarded-For': ['1.2.3.4', 'x'],
  'Last-Event-ID': ['0-0', '1795245149908-3', '99999999999999-1', '-1', 'x', LONG],
  'X-HTTP-Method-Override': ['DELETE'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'x'],
  'MCP-Protocol-Version': ['2025-06-18', '1999-01-01', 'x'],
  'Mcp-Session-Id': ['x'],
  'Access-Control-Request-Method': ['DELETE'],
  'User-Agent': ['', 'Mozilla/5.0', LONG],
}

const named = fc.oneof(
  ...Object.entries(VALUES).map(([name, values]) =>
    fc.tuple(fc.constant(name), weighted([4, fc.constantFrom(...values)], [1, text])),
  ),
)

const given = named.map(([name, value]) =>
  change(`${name} header`, (request) => withHeader(request, name, value)),
)
const repeated = named.map(([name, value]) =>
  change(`${name} header again`, (request) => plusHeader(request, name, value)),
)
const many = fc.constantFrom(20, 200).map((count) => {
  const extra = Array.from({ length: count }, (_, index) => [`X-Fz-${index}`, 'x'] as const)
  return change(`${count} headers`, (request) => ({
    ...request,
    headers: [...request.headers, ...extra],
  }))
})
const host = fc
  .constantFrom('otra.example', '127.0.0.1', '[::1]:8787', 'a_b.example:1', 'ñ', 'x y', '')
  .map((host) => change('Host header', (request) => withHeader(request, 'Host', host)))

export const headerChange: fc.Arbitrary<Change> = weighted(
  [12, given],
  [2, repeated],
  [1, many],
  [1, host],
)
