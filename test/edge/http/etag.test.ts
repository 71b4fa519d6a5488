import { expect, it } from 'vitest'
import { matchesEtag, strongEtag } from '../../../workers/edge/http/etag.ts'

it('gives equal bodies equal strong tags, and others others', () => {
  const tag = strongEtag('{"sell":1410}')
  expect(tag).toMatch(/^"[0-9a-z]+"$/)
  expect(strongEtag('{"sell":1410}')).toBe(tag)
  expect(strongEtag('{"sell":1411}')).not.toBe(tag)
})

it.each([
  ['"a"', true],
  ['*', true],
  [' * ', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b",W/"a"', true],
  ['"x,y" , "a"', true],
  ['"b"', false],
  ['a', false],
  ['"A"', false],
  ['', false],
  [null, false],
])('If-None-Match %s of "a": %s', (header, matches) => {
  expect(matchesEtag(header, '"a"')).toBe(matches)
})

it('does not find a tag inside another', () => {
  expect(matchesEtag('"ab"', '"a"')).toBe(false)
  expect(matchesEtag('"x", "ya"', '"a"')).toBe(false)
})
