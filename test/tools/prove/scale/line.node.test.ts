import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountOf, Line } from '../../../../tools/prove/scale/line.ts'

it.each([
  { comes: 10, served: 6, seconds: 5, backlog: 20 },
  { comes: 6, served: 10, seconds: 5, backlog: 0 },
  { comes: 2.5, served: 1.5, seconds: 8, backlog: 8 },
])(
  '$comes a second against $served leave $backlog after $seconds seconds',
  ({ comes, served, seconds, backlog }) => {
    const line = new Line()
    for (let second = 0; second < seconds; second += 1) {
      line.arrive([{ since: second, amount: comes }])
      line.serve(served)
    }
    expect(line.backlog).toBeCloseTo(backlog, 9)
  },
)

it('a burst of 1,000 at 30 a second is gone after 34 seconds', () => {
  const line = new Line()
  line.arrive([{ since: 0, amount: 1000 }])
  let seconds = 0
  for (; line.backlog > 0; seconds += 1) line.serve(30)
  expect(seconds).toBe(34)
})

it('what came first is served first', () => {
  const line = new Line()
  line.arrive([{ since: 1, amount: 3 }])
  line.arrive([{ since: 2, amount: 3 }])
  expect(line.serve(4)).toEqual([
    { since: 1, amount: 3 },
    { since: 2, amount: 1 },
  ])
  expect(line.serve(4)).toEqual([{ since: 2, amount: 2 }])
  expect(line.serve(4)).toEqual([])
})

it('nothing is lost and nothing is made, whatever comes and goes', () => {
  const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount)), (steps) => {
      const line = new Line()
      let [came, went] = [0, 0]
      for (const [since, [comes, served]] of steps.entries()) {
        line.arrive([{ since, amount: comes }])
        came += comes
        const taken = amountOf(line.serve(served))
        expect(taken).toBeLessThanOrEqual(served + 1e-6)
        went += taken
      }
      expect(line.backlog).toBeCloseTo(came - went, 3)
    }),
  )
})
