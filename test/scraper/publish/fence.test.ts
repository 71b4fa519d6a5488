/** Stalled cycles, and changes of history during a cycle, before and after each of its steps. */
import { describe, expect, it } from 'vitest'
import { DAY_MS, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { readRecent } from '../../../workers/site/pair/read-charts.ts'
import { correctPoint } from '../../../tools/operate/import/corrections.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { boardCheck } from '../../../tools/operate/admin/audit/documents.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import { recentPoints } from '../../../workers/scraper/db/nightly.ts'
import { NOON, blue, cycleAt, later, shownBlue, shownBoard } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { expectSoundQuotes } from '../../support/sound.ts'
import { marketFetch } from '../../support/market.ts'
import { type Interruption, openHub, type Step, steppedEnv, STEPS } from '../stepped-env.ts'
import { readRows } from '../../support/rows.ts'
import { readDeliveries, seedWebhook } from '../../support/webhooks.ts'

/** After the other steps the next one begins at once, without a read or a clock between them. */
const THEN_OTHER_WORK = [
  'the opening in D1',
  'the first document',
  'the batch in D1',
  'the end in D1',
] as const satisfies Step[]

const CASES = [
  ...STEPS.map((step) => ['before', step] as const),
  ...THEN_OTHER_WORK.map((step) => ['after', step] as const),
]

/** Runs cycles with this sell of the blue dollar, and collects what they publish. */
function openScraper() {
  let now = NOON
  const streams = openHub(() => now)
  return {
    streams,
    /** `wakesAt`: the cycle's clock after the interruption. */
    async cycle(
      at: Instant,
      sell: number,
      interruption?: Interruption & { wakesAt?: Instant },
    ): Promise<CycleReport> {
      now = Math.max(now, at)
      const open = { QUOTE_STREAM: streams.QUOTE_STREAM, WEBHOOK_ADMISSION: 'open' }
      if (!interruption) return cycleAt(at, sell, open)
      let clock = at
      const meanwhile = async () => {
        await interruption.meanwhile()
        clock = interruption.wakesAt ?? clock
        now = Math.max(now, clock)
      }
      const stepped = steppedEnv({ ...interruption, meanwhile }, streams)
      const fetch = stepped.fetch(marketFetch(sell))
      const report = await cycleAt(at, fetch, { ...open, ...stepped.env }, { now: () => clock })
      expect(stepped.wasInterrupted(), interruption.step).toBe(true)
      return report
    },
  }
}

/** The board without the mark of a wrong clock (decision 76), which streams do not get. */
async function board() {
  const board = await shownBoard()
  return board && { ...board, clockWrong: undefined }
}

/** Expects that the chart of the last day shows the points. */
async function expectDrawn(now: Instant) {
  expect(await readRecent(env.BOARD)).toEqual(await recentPoints(env.DB, now))
}

describe.each([
  ['knows how late it is when it goes on', later(2)],
  ['has a clock that stood still', undefined],
])('a cycle that stalls for longer than its lease and %s', (_, wakesAt) => {
  it.each(CASES)('%s %s publishes nothing older than the next cycle did', async (when, step) => {
    const { cycle, streams } = openScraper()
    await cycle(NOON, 1430)
    await cycle(later(1), 1440, {
      step,
      when,
      wakesAt: wakesAt!,
      meanwhile: () => cycle(later(2), 1450),
    })

    expect(await board()).toMatchObject({ generatedAt: later(2) })
    expect(await shownBlue()).toMatchObject({ sell: 1450 })
    expect(streams.hub.board).toEqual(await board())
    await expectSoundQuotes(later(3), boardCheck)
    await cycle(later(3), 1450)
    await expectDrawn(later(3))
  })
})

it('a cycle whose lease has expired does not publish the board that it made before, but makes a new one', async () => {
  const { cycle } = openScraper()
  const report = await cycle(later(1), 1440, {
    step: 'the batch in D1',
    when: 'after',
    wakesAt: later(2),
    meanwhile: async () => {},
  })
  expect(report).toMatchObject({ outcome: 'recorded', published: false })
  expect(await shownBlue()).toMatchObject({ sell: 1440 })
})

describe('a correction while a cycle runs', () => {
  const correction = { pair: blue, at: later(1), reason: 'a test', now: later(2) }
  const replaceBy1410 = () =>
    correctPoint(env.DB, {
      ...correction,
      value: { buy: numberToPrice(1390), sell: numberToPrice(1410) },
    })
  const takeAway = () => correctPoint(env.DB, correction)

  it.each(
    CASES.flatMap(([when, step]) => [
      ['replaced', replaceBy1410, 1430, when, step] as const,
      ['replaced', replaceBy1410, 1410, when, step] as const,
      ['replaced', replaceBy1410, 1420, when, step] as const,
      ['taken away', takeAway, 1430, when, step] as const,
      ['taken away', takeAway, 1400, when, step] as const,
      ['taken away', takeAway, 1420, when, step] as const,
    ]).filter(([, , sell, , step]) => sell !== 1430 || !/last day|alerts/.test(step)),
  )('a value is %s (%o) while %i is found, %s %s', async (_, correct, sell, when, step) => {
    const { cycle, streams } = openScraper()
    await cycle(NOON, 1400)
    await cycle(later(1), 1430)
    await cycle(later(2), sell, { step, when, meanwhile: correct })

    const isOver = step === 'the end in D1' && when === 'after'
    if (!isOver) {
      await expectSoundQuotes(later(3), boardCheck)
      expect(streams.hub.board).toEqual(await board())
    }
    if (sell === 1430 && !isOver) {
      const isRead = step === 'the opening in D1' && when === 'before'
      expect((await shownBlue())!.sell).toBe(isRead ? 1430 : correct === takeAway ? 1400 : 1410)
    }
    await cycle(later(3), sell)
    await expectSoundQuotes(later(4), boardCheck)
    await expectDrawn(later(3))
    expect(streams.hub.board).toEqual(await board())
  })

  /** A cycle that reads 1430 and finds `sell`; the correction comes between. */
  async function findAfterCorrection(sell: number) {
    const { cycle } = openScraper()
    await cycle(NOON, 1400)
    await cycle(later(1), 1430)
    return cycle(later(2), sell, {
      step: 'the batch in D1',
      when: 'before',
      meanwhile: replaceBy1410,
    })
  }

  it('is not confirmed by a cycle that read the wrong value', async () => {
    await findAfterCorrection(1430)
    const lastScrapedAt = formatArgentine(later(1))
    expect(await shownBlue()).toMatchObject({ sell: 1410, source: 'correction', lastScrapedAt })
  })

  it('to the value that the cycle finds is no change: the cycle confirms it and makes no delivery', async () => {
    await seedWebhook()
    expect(await findAfterCorrection(1410)).toMatchObject({ changed: [] })
    // The delivery of the change from 1400.
    expect(await readDeliveries()).toHaveLength(1)
    expect(await shownBlue()).toMatchObject({
      sell: 1410,
      updatedAt: formatArgentine(later(1)),
      lastScrapedAt: formatArgentine(later(2)),
    })
  })

  it('to the value that the first cycle of a day finds leaves that day without a candle', async () => {
    const { cycle } = openScraper()
    const yesterday = NOON - DAY_MS
    await cycle(yesterday, 1400)
    const meanwhile = () =>
      correctPoint(env.DB, {
        ...correction,
        at: yesterday,
        value: { buy: numberToPrice(1390), sell: numberToPrice(1410) },
      })
    await cycle(NOON, 1410, { step: 'the batch in D1', when: 'before', meanwhile })
    expect(await readRows('dailyCandles', { day: '2026-03-02' })).toEqual([])
  })
})
