import { expect, it } from 'vitest'
import { prefersCsv, prefersJson } from '../../workers/edge/http/accept.ts'
import { toCsv } from '../../shared/csv.ts'
import { matchesEtag } from '../../workers/edge/http/etag.ts'

it.each([
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv, */*', true],
  ['application/json;q=0.5, text/csv', true],
  ['application/json, text/csv', false],
  ['application/*, text/csv;q=0.9', false],
  ['text/csv;q=0', false],
  ['text/csv;q=high', false],
  ['text/*', false],
  [null, false],
])('Accept %s asks for CSV: %s', (accept, csv) => {
  expect(prefersCsv(accept)).toBe(csv)
})

it.each([
  ['application/*', true],
  ['application/json, text/html;q=0.9', true],
  ['application/json, */*', true],
  ['text/html;q=0.5, application/json;q=0.6', true],
  ['application/json;q=0.5, text/html;q=0.5', false],
  ['text/html, application/json', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['application/json;q=0', false],
  ['*/*', false],
  [undefined, false],
])('Accept %s asks for JSON before HTML: %s', (accept, json) => {
  expect(prefersJson(accept)).toBe(json)
})

it.each([
  ['a,b', '"a,b"'],
  ['say "so"', '"say ""so"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  ['Dólar Bolsa (MEP)', 'Dólar Bolsa (MEP)'],
])('CSV has %j as %j', (value, field) => {
  expect(toCsv(['x'], [{ x: value }])).toBe(`x\r\n${field}\r\n`)
})

it.each([
  [' * ', true],
  ['W/"a"', true],
  ['"b",W/"a"', true],
  ['"x,y" , "a"', true],
  ['a', false],
  ['"A"', false],
  ['"ab"', false],
  ['"x", "ya"', false],
  ['', false],
  [null, false],
])('If-None-Match %s names "a": %s', (header, matches) => {
  expect(matchesEtag(header, '"a"')).toBe(matches)
})
