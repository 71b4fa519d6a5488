import { expect, it } from 'vitest'
import { prefersCsv, prefersJson } from '../../../workers/edge/http/accept.ts'

it.each([
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv, */*;q=0.1', true],
  ['text/csv, */*', true],
  ['application/json;q=0.5, text/csv', true],
  ['application/json, text/csv', false],
  ['application/*, text/csv;q=0.9', false],
  ['text/csv;q=0', false],
  ['text/csv;q=high', false],
  ['text/*', false],
  ['*/*', false],
  ['application/json', false],
  ['', false],
  [null, false],
])('Accept %s asks for CSV: %s', (accept, csv) => {
  expect(prefersCsv(accept)).toBe(csv)
})

it.each([
  ['application/json', true],
  ['application/*', true],
  ['application/json, text/html;q=0.9', true],
  ['application/json, */*', true],
  ['text/html, application/json;q=0.9', false],
  ['text/html, application/json', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['application/json;q=0', false],
  ['*/*', false],
  [undefined, false],
])('Accept %s asks for JSON before HTML: %s', (accept, json) => {
  expect(prefersJson(accept)).toBe(json)
})
