import { expect, it } from 'vitest'
import { parseRetryAfter, retryDelayMs } from '../../../shared/webhooks/retry.ts'

const WAITS = [30, 300, 1800] as const

it.each([
  [1, 24_000, 36_000],
  [2, 240_000, 360_000],
  [3, 1_440_000, 2_160_000],
])('after attempt %s waits are from %s to %s ms', (attempt, least, most) => {
  expect(retryDelayMs(WAITS, attempt, () => 0)).toBe(least)
  expect(retryDelayMs(WAITS, attempt, () => 0.999_999_9)).toBe(most)
})

it.each([
  ['0', 0],
  ['120', 120],
  ['1000000000', 1e9],
  ['Tue, 14 Nov 2023 22:14:20 GMT', 60],
  ['Tue, 14 Nov 2023 22:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['', null],
  ['9'.repeat(65), null],
  [null, null],
])('reads Retry-After %j as %s seconds', (value, seconds) => {
  expect(parseRetryAfter(value, 1_700_000_000_000)).toBe(seconds)
})
