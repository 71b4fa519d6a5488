import { cancelWaiting } from '../../../../shared/db/deliveries/cancel-waiting.ts'
import {
  releaseCancelled,
  releaseSettled,
  reserveInserted,
} from '../../../../shared/db/deliveries/outstanding.ts'
import { findValues } from '../../../../shared/db/deliveries/insert.ts'
import { claimStatement, findNext } from '../../../../shared/db/deliveries/claim.ts'
import { deliveryCounters } from '../../../../shared/db/deliveries/counters.ts'
import { cancelIneligible, endTooOld } from '../../../../workers/delivery/db/end-waiting.ts'
import { listDeliveries } from '../../../../shared/subscriptions/deliveries.ts'
import { findHeads, findStale, markAnnounced } from '../../../../workers/delivery/db/stale.ts'
import { claimNotice, findUnsent, returnNotice } from '../../../../workers/delivery/db/notices.ts'
import { outboxStatements } from '../../../../workers/scraper/db/outbox.ts'
import {
  findOwing,
  listOwing,
  makeOwedSync,
  resumeStatements,
} from '../../../../shared/db/deliveries/owed-syncs.ts'
import { findOldest, pruneChunk } from '../../../../workers/delivery/db/prune.ts'
import { releaseStatements } from '../../../../workers/delivery/db/release.ts'
import { deliveredStatements, failureStatements } from '../../../../shared/db/deliveries/settle.ts'
import { tallyDead, tallyDelivered } from '../../../../shared/db/deliveries/tallies.ts'
import { type Calls, CAPACITY, NOW, type StatementFixture } from './fixture.ts'

const DELIVERY_ID = '019cae55-2c00-7000-8000-000000000000'
const NO_VALUES = { results: [] } as unknown as D1Result
const NOTICE = { subscriptionId: 'a-webhook', episode: 1 }

function claimOf({ deliveryId, subscriptionId }: StatementFixture) {
  const fence = { id: deliveryId, subscriptionId, type: 'automatic', token: 'token' } as const
  return { ...fence, redelivery: null, createdAt: NOW, clears: true }
}

export const deliveryCalls: Calls = {
  'delivery/db/end-waiting.ts cancelIneligible': ({ db, deliveryId }) =>
    cancelIneligible(db, [deliveryId], NOW),
  'deliveries/cancel-waiting.ts cancelWaiting': ({ db, subscriptionId }) =>
    cancelWaiting(db, subscriptionId, NOW),
  'deliveries/outstanding.ts reserveInserted': ({ db }) => reserveInserted(db),
  'deliveries/outstanding.ts releaseSettled': ({ db, deliveryId }) =>
    releaseSettled(db, deliveryId),
  'deliveries/outstanding.ts releaseCancelled': ({ db }) => releaseCancelled(db),
  'deliveries/claim.ts claimStatement': ({ db, deliveryId, subscriptionId }) => {
    claimStatement(db, { ids: [deliveryId], token: 'token' }, NOW)
    claimStatement(db, { orders: [{ subscriptionId, redelivery: null }], token: 'token' }, NOW)
  },
  'deliveries/claim.ts findNext': ({ db, subscriptionId }) =>
    findNext(db, [{ subscriptionId, redelivery: 'in order' }], NOW),
  'deliveries/counters.ts deliveryCounters': ({ db }) => deliveryCounters(db, NOW),
  'delivery/db/end-waiting.ts endTooOld': ({ db, deliveryId }) => endTooOld(db, [deliveryId], NOW),
  'subscriptions/deliveries.ts listDeliveries': async ({ db, accountId }) => {
    await listDeliveries(db, accountId, { limit: 1 }, 'webhook')
    await listDeliveries(db, accountId, { deliveryId: 'one', limit: 1 }, 'webhook')
    await listDeliveries(db, accountId, { deliveryId: DELIVERY_ID, limit: 1 }, 'alert')
  },
  'delivery/db/stale.ts findStale': ({ db }) => findStale(db, NOW, 10),
  'delivery/db/stale.ts findHeads': ({ db, subscriptionId }) =>
    findHeads(db, [{ subscriptionId, redelivery: null }]),
  'delivery/db/stale.ts markAnnounced': ({ db, deliveryId }) =>
    markAnnounced(db, [{ id: deliveryId, at: NOW }]),
  'delivery/db/notices.ts findUnsent': ({ db }) => findUnsent(db, NOW, 10),
  'delivery/db/notices.ts claimNotice': ({ db }) => claimNotice(db, NOTICE, NOW),
  'delivery/db/notices.ts returnNotice': ({ db }) => returnNotice(db, NOTICE, NOW),
  'scraper/db/outbox.ts outboxStatements': ({ db, quote }) =>
    outboxStatements(db, [{ quote, previous: { buy: 1, sell: 2 } }], {
      at: NOW,
      admitted: true,
      capacity: CAPACITY,
      system: { destination: 'https://receptor.example/***', pairs: null },
    }),
  'deliveries/owed-syncs.ts makeOwedSync': ({ db, subscriptionId }) =>
    makeOwedSync(db, { subscriptionId, now: NOW, capacity: CAPACITY, values: NO_VALUES }),
  'deliveries/owed-syncs.ts findOwing': ({ db }) => findOwing(db, CAPACITY),
  'deliveries/owed-syncs.ts listOwing': ({ db }) => listOwing(db, CAPACITY, 10),
  'deliveries/owed-syncs.ts resumeStatements': ({ db, subscriptionId }) =>
    resumeStatements(db, [subscriptionId], { now: NOW, capacity: CAPACITY, values: NO_VALUES }),
  'deliveries/insert.ts findValues': ({ db }) => findValues(db),
  'delivery/db/prune.ts findOldest': ({ db }) => findOldest(db),
  'delivery/db/prune.ts pruneChunk': ({ db }) => pruneChunk(db, NOW),
  'delivery/db/release.ts releaseStatements': (fixture) => {
    const why = { errorType: 'interrupted', nextAttemptAt: NOW } as const
    releaseStatements(fixture.db, claimOf(fixture), why, NOW)
    releaseStatements(fixture.db, claimOf(fixture), { ...why, nextAttemptAt: null }, NOW)
  },
  'deliveries/settle.ts deliveredStatements': (fixture) =>
    deliveredStatements(fixture.db, [{ claim: claimOf(fixture), code: 200 }], NOW),
  'deliveries/settle.ts failureStatements': (fixture) => {
    const failure = { code: 500, errorType: 'http', nextAttemptAt: NOW } as const
    failureStatements(fixture.db, claimOf(fixture), failure, NOW)
    failureStatements(fixture.db, claimOf(fixture), { ...failure, nextAttemptAt: null }, NOW)
  },
  'deliveries/tallies.ts tallyDelivered': ({ db }) => tallyDelivered(db, NOW),
  'deliveries/tallies.ts tallyDead': ({ db }) => tallyDead(db, NOW),
}
