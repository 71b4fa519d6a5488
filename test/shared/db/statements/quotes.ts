import {
  claimBuild,
  endBuild,
  readArchiveState,
  readCloses,
} from '../../../../workers/scraper/db/archive.ts'
import { addAvailability, readAvailability } from '../../../../shared/db/quotes/availability.ts'
import { boardFromDatabase } from '../../../../shared/db/quotes/board-fallback.ts'
import { candleStatements, rebuildCandles } from '../../../../shared/db/quotes/candles.ts'
import {
  drawnStatement,
  dueChartsStatement,
  recentValues,
  redrawStatement,
} from '../../../../shared/db/quotes/charts.ts'
import { removePoint, replacePoint } from '../../../../shared/db/quotes/corrections.ts'
import type { CycleRecord } from '../../../../shared/db/quotes/cycle-record.ts'
import {
  insertPoints,
  quarantineStatement,
  upsertCandles,
  writeQuotes,
  writeState,
} from '../../../../workers/scraper/db/cycle-statements.ts'
import {
  closeCycle,
  openCycle,
  recordCycle,
  redrawAll,
} from '../../../../workers/scraper/db/cycles.ts'
import { readDay } from '../../../../workers/site/db/day.ts'
import { readCandles, readPoints } from '../../../../workers/edge/db/history.ts'
import {
  historyRevision,
  historyRevisionStatement,
  raiseHistoryStatement,
} from '../../../../shared/db/quotes/history-revision.ts'
import { quotesAsOf } from '../../../../shared/db/quotes/points.ts'
import { readInvoicing } from '../../../../shared/db/quotes/invoicing.ts'
import { invoicingStatements } from '../../../../shared/db/quotes/invoicing-tables.ts'
import { listHeld, overrideHeld } from '../../../../shared/db/quotes/quarantine.ts'
import type { CurrentQuote } from '../../../../shared/db/quotes/quotes.ts'
import { currentQuotesStatement } from '../../../../shared/db/quotes/quotes.ts'
import {
  begunStatement,
  heldStatements,
  readRecorded,
} from '../../../../workers/scraper/db/recorded.ts'
import { readSeries } from '../../../../workers/edge/db/series.ts'
import { referenceStatement } from '../../../../shared/db/quotes/reference-sell.ts'
import { markStatement, readMode } from '../../../../shared/db/quotes/service-mode.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { type Calls, NOW, TODAY } from './fixture.ts'

const BLUE = findPairByKey('usd/blue')!
const RANGE = { from: null, to: null, limit: 10 }
const CORRECTION = { pair: BLUE, at: NOW, reason: 'why', now: NOW }
const DAY = { day: TODAY, ok: 1, degraded: 2, down: 3 }
const TABLE = {
  day: '2026-03-01',
  publishedAt: null,
  source: 'test',
  rates: [{ currency: 'USD', units: 1, buy: '1', sell: '2' }],
}
const HELD = { pair: BLUE.id, buy: 1, sell: 2, source: 'test', reason: 'jump' }

function recordOf(quote: CurrentQuote): CycleRecord {
  return {
    token: 'token',
    historyRevision: 1,
    scheduledAt: NOW,
    at: NOW,
    quotes: [quote],
    otherSource: [quote],
    changes: [{ quote, previous: null }],
    begun: [],
    quarantine: [{ kind: 'hold', ...HELD }],
    guard: '{}',
    sources: '{}',
    summary: { at: NOW, everySeconds: 300, anySourceAnswered: true },
    availability: [DAY],
  }
}

export const quoteCalls: Calls = {
  'scraper/db/archive.ts readArchiveState': ({ db }) => readArchiveState(db),
  'scraper/db/archive.ts claimBuild': ({ db }) => claimBuild(db, NOW),
  'scraper/db/archive.ts endBuild': ({ db }) => endBuild(db, NOW),
  'scraper/db/archive.ts readCloses': ({ db }) => readCloses(db, TODAY),
  'quotes/availability.ts addAvailability': ({ db }) => addAvailability(db, [DAY]),
  'quotes/availability.ts readAvailability': ({ db }) => readAvailability(db, NOW),
  'quotes/board-fallback.ts boardFromDatabase': ({ db }) => boardFromDatabase(db, NOW),
  'quotes/candles.ts rebuildCandles': ({ db }) => rebuildCandles(db, BLUE, TODAY, TODAY),
  'quotes/candles.ts candleStatements': ({ db }) => candleStatements(db, BLUE, TODAY, TODAY),
  'quotes/charts.ts dueChartsStatement': ({ db }) => dueChartsStatement(db, TODAY),
  'quotes/charts.ts drawnStatement': ({ db }) =>
    drawnStatement(db, [{ pair: BLUE, revision: 1, month: '[]', closes: '[]' }], TODAY),
  'quotes/charts.ts redrawStatement': ({ db }) => redrawStatement(db, BLUE),
  'quotes/charts.ts recentValues': ({ db }) => recentValues(db, NOW),
  'quotes/history-revision.ts historyRevision': ({ db }) => historyRevision(db),
  'quotes/history-revision.ts historyRevisionStatement': ({ db }) => historyRevisionStatement(db),
  'quotes/history-revision.ts raiseHistoryStatement': ({ db }) => raiseHistoryStatement(db),
  'quotes/corrections.ts replacePoint': ({ db }) =>
    replacePoint(db, { ...CORRECTION, buy: 1, sell: 2 }),
  'quotes/corrections.ts removePoint': ({ db }) => removePoint(db, CORRECTION),
  'scraper/db/cycle-statements.ts insertPoints': ({ db, quote }) =>
    insertPoints(db, recordOf(quote)),
  'scraper/db/cycle-statements.ts writeQuotes': ({ db, quote }) =>
    writeQuotes(db, { ...recordOf(quote), at: quote.updatedAt }),
  'scraper/db/cycle-statements.ts upsertCandles': ({ db, quote }) =>
    upsertCandles(db, recordOf(quote)),
  'scraper/db/cycle-statements.ts quarantineStatement': ({ db }) => {
    quarantineStatement(db, { kind: 'hold', ...HELD }, NOW)
    quarantineStatement(db, { kind: 'seen', id: 1, buy: 1, sell: 2, reason: 'jump' }, NOW)
    quarantineStatement(db, { kind: 'resolve', id: 1, status: 'dropped' }, NOW)
  },
  'scraper/db/cycle-statements.ts writeState': ({ db, quote }) => writeState(db, recordOf(quote)),
  'quotes/invoicing-tables.ts invoicingStatements': ({ db }) => invoicingStatements(db, TABLE, NOW),
  'edge/db/series.ts readSeries': async ({ db }) => {
    for (const side of ['sell', 'buy'] as const) {
      for (const value of ['close', 'open', 'high', 'low', 'average'] as const) {
        const query = { pairs: [BLUE], value, side }
        await readSeries(db, { ...query, days: { from: TODAY, to: TODAY } }, NOW)
        await readSeries(db, { ...query, days: { dates: [TODAY] } }, NOW)
      }
    }
  },
  'quotes/invoicing.ts readInvoicing': ({ db }) => readInvoicing(db, ['USD'], TODAY, NOW),
  'scraper/db/cycles.ts openCycle': ({ db }) =>
    openCycle(db, { token: 'token', now: NOW, scheduledAt: NOW, mode: 'live' }),
  'scraper/db/cycles.ts recordCycle': async ({ db, quote }) => {
    await openCycle(db, { token: 'token', now: NOW, scheduledAt: NOW, mode: 'live' })
    await recordCycle(db, recordOf(quote), [])
  },
  'site/db/day.ts readDay': ({ db }) => readDay(db, BLUE, TODAY),
  'scraper/db/cycles.ts closeCycle': async ({ db }) => {
    await closeCycle(db, 'token')
    await closeCycle(db, 'token', 1)
  },
  'scraper/db/cycles.ts redrawAll': ({ db }) =>
    redrawAll(db, [{ pair: BLUE, revision: 1, month: '[]', closes: '[]' }]),
  'scraper/db/recorded.ts heldStatements': ({ db }) => heldStatements(db),
  'scraper/db/recorded.ts readRecorded': ({ db }) => readRecorded(db),
  'edge/db/history.ts readPoints': ({ db }) => readPoints(db, BLUE, RANGE, NOW),
  'edge/db/history.ts readCandles': ({ db }) => readCandles(db, BLUE, RANGE, NOW),
  'quotes/points.ts quotesAsOf': ({ db }) => quotesAsOf(db, [BLUE], NOW),
  'quotes/quarantine.ts listHeld': ({ db }) => listHeld(db),
  'quotes/quarantine.ts overrideHeld': ({ db }) => overrideHeld(db, BLUE, 'accepted'),
  'quotes/quotes.ts currentQuotesStatement': ({ db }) => currentQuotesStatement(db),
  'scraper/db/recorded.ts begunStatement': ({ db }) => begunStatement(db, NOW),
  'quotes/service-mode.ts markStatement': ({ db }) => markStatement(db, 'live'),
  'quotes/service-mode.ts readMode': ({ db }) => readMode(db),
  'quotes/reference-sell.ts referenceStatement': ({ db }) => referenceStatement(db, BLUE),
}
