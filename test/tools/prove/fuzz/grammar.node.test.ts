import { expect, it } from 'vitest'
import { requestsOf } from '../../../../tools/prove/fuzz/grammar/requests.ts'
import { ROUTES } from '../../../../tools/prove/fuzz/grammar/routes.ts'

it('makes the same requests of the same seed, and the same ones first when it makes more', () => {
  const some = [...requestsOf(7, 600)]
  expect([...requestsOf(7, 600)]).toEqual(some)
  expect([...requestsOf(7, 1100)].slice(0, 600)).toEqual(some)
  expect([...requestsOf(7, 600, 501)]).toEqual(some.slice(500))
  expect([...requestsOf(7, 600, 499)]).toEqual(some.slice(498))
  expect([...requestsOf(8, 600)]).not.toEqual(some)
})

it('makes requests of every route, about half of them good as they are', () => {
  const requests = [...requestsOf(1, 8000)]
  const seen = new Set(requests.map(({ route }) => route))
  expect(ROUTES.map(({ label }) => label).filter((label) => !seen.has(label))).toEqual([])

  const good = requests.filter(({ changes }) => changes.length === 0).length
  expect(good / requests.length).toBeGreaterThan(0.4)
  expect(good / requests.length).toBeLessThan(0.6)
})
