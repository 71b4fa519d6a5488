/** Each statement of a cycle's batch, when the past changed since the cycle read its state. */
import { expect, it } from 'vitest'
import { numberToPrice } from '../../../shared/market/price.ts'
import type { CurrentQuote, CycleRecord } from '../../../shared/db/quotes/quotes.ts'
import {
  insertPoints,
  makeQuotes,
  quarantineStatement,
  setSources,
  writeState,
} from '../../../workers/scraper/db/cycle-statements.ts'
import { markStatement } from '../../../shared/db/quotes/service-mode.ts'
import { blue, later, NOON } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { setPoints } from '../../support/points.ts'
import { changeRows, insertRow, readRows } from '../../support/rows.ts'

const { DB } = env
const value = (sell: number) => ({ buy: numberToPrice(sell - 20), sell: numberToPrice(sell) })

const quoted = (sell: number, updatedAt: number, source = 'ambito'): CurrentQuote => {
  return {
    pair: blue,
    ...value(sell),
    source,
    updatedAt,
    lastScrapedAt: later(1),
    referenceSell: null,
  }
}

/** The quotes that the cycle after noon writes. */
const record = (...quotes: CurrentQuote[]): CycleRecord => ({
  token: '',
  scheduledAt: later(1),
  at: later(1),
  quotes,
  changes: quotes.map((quote) => ({ quote, previous: null })),
  begun: [],
  quarantine: [],
  guard: '{}',
  sources: '{}',
  summary: { at: later(1), everySeconds: 300, anySourceAnswered: true, historyRevision: 7 },
  availability: [],
})

/** The blue dollar at 1430 since noon, by `ambito`. */
async function seed() {
  await setPoints([{ pair: blue.id, at: NOON, ...value(1430) }])
  const row = { pair: blue.id, ...value(1430), source: 'ambito', updatedAt: NOON }
  await insertRow('currentQuotes', row)
}

it.each([
  ['another value is a point', 1440, 'live', ['test', 'ambito']],
  ['a simulated one says so', 1440, 'demo', ['test', 'demo:ambito']],
  ['the value in effect is none', 1430, 'live', ['test']],
] as const)('points: %s', async (_, sell, mode, sources) => {
  await seed()
  await markStatement(DB, mode).run()
  await insertPoints(DB, record(quoted(sell, later(1)))).run()
  expect((await readRows('points')).map(({ source }) => source)).toEqual(sources)
})

it.each([
  ['of the last point is written, with the last sell of the days before', 1440, 1440],
  ['whose point was corrected meanwhile is not', 1450, 1430],
])('quotes: a value %s', async (_, point, sell) => {
  await seed()
  const yesterday = { pair: blue.id, at: NOON - 24 * 3_600_000, ...value(1400) }
  await setPoints([yesterday, { pair: blue.id, at: later(1), ...value(point) }])
  for (const statement of makeQuotes(DB, record(quoted(1440, later(1))))) await statement.run()
  const reference = sell === 1440 ? numberToPrice(1400) : null
  expect(await readRows('currentQuotes')).toMatchObject([
    { sell: numberToPrice(sell), referenceSell: reference },
  ])
})

it.each([
  ['another source that confirms the value is noted', 1430, 'bna'],
  ['one that confirmed a value of before is not', 1420, 'ambito'],
])('sources: %s', async (_, sell, source) => {
  await seed()
  for (const statement of setSources(DB, record(quoted(sell, NOON, 'bna')))) await statement.run()
  expect(await readRows('currentQuotes')).toMatchObject([{ source }])
})

it.each([
  ['all, while the past stands', 7, 1420, { [blue.id]: later(1) }],
  ['of values in effect alone, after a correction', 8, 1420, {}],
  ['and those, after a correction', 8, 1430, { [blue.id]: later(1) }],
])('confirmations: %s', async (_, revision, sell, confirmed) => {
  await seed()
  await changeRows('historyRevision', { revision })
  await writeState(DB, record(quoted(sell, NOON))).run()
  const [state] = await readRows('scraperState')
  expect(JSON.parse(state!.confirmedAt)).toEqual(confirmed)
})

it('quarantine: what is seen again changes a held value alone, and a value is resolved once', async () => {
  const held = { pair: blue.id, ...value(1600), source: 'ambito', reason: 'step' } as const
  await quarantineStatement(DB, { kind: 'hold', ...held }, NOON).run()
  const { id } = (await readRows('quarantine'))[0]!
  const seen = { kind: 'seen', id, ...value(1610), reason: 'witness' } as const
  await quarantineStatement(DB, seen, later(1)).run()
  const row = {
    ...held,
    ...value(1610),
    reason: 'witness',
    firstSeenAt: NOON,
    lastSeenAt: later(1),
  }
  expect(await readRows('quarantine')).toMatchObject([{ ...row, status: 'held', resolvedAt: null }])

  await changeRows('quarantine', { status: 'accepted' })
  await quarantineStatement(DB, { ...seen, ...value(1620) }, later(2)).run()
  await quarantineStatement(DB, { kind: 'resolve', id, status: 'accepted' }, later(3)).run()
  await quarantineStatement(DB, { kind: 'resolve', id, status: 'dropped' }, later(4)).run()
  expect(await readRows('quarantine')).toMatchObject([
    { ...row, status: 'accepted', resolvedAt: later(3) },
  ])
})
