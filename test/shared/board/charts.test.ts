import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { parseCloses, parseRecent, RECENT_MS, withValues } from '../../../shared/board/charts.ts'

const pair = findPairByKey('usd/blue')!
const T0 = 29_000_000 * MINUTE_MS

it('drops points older than a day, but keeps the value in effect when it began', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 9 })), {
        minLength: 1,
        maxLength: 40,
      }),
      (steps) => {
        let at = T0
        let document = null as ReturnType<typeof withValues> | null
        const truth: [number, number][] = []
        for (const [minutes, sell] of steps) {
          at += minutes * MINUTE_MS
          truth.push([at, sell])
          document = withValues(document, [{ pair, sell, updatedAt: at }], at)
        }
        const points = document!.points['USD/BLUE']!
        expect(points.length).toBeLessThanOrEqual(RECENT_MS / (5 * MINUTE_MS) + 2)
        expect(points.at(-1)![1]).toBe(truth.at(-1)![1])
        const start = at - RECENT_MS
        if (truth[0]![0] <= start) expect(points[0]![0] * MINUTE_MS).toBeLessThanOrEqual(start)
        expect(points.map(([minute]) => minute)).toEqual(
          points.map(([minute]) => minute).toSorted((a, b) => a - b),
        )
      },
    ),
  )
})

it.each([null, '', '{', 'null', '[]', '{"schema":2,"points":{},"closes":[]}', '{"schema":1}'])(
  'reads %j as no document',
  (text) => {
    expect(parseRecent(text)).toBeNull()
    expect(parseCloses(text)).toBeNull()
  },
)
