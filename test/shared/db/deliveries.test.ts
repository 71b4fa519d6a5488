/** What deliveries and requests cannot show of a statement: races, fences, limits. */
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { type Claim, claimsOf, claimStatement } from '../../../shared/db/deliveries/claim.ts'
import { findOwedSyncs, resumeWebhooks } from '../../../shared/db/deliveries/insert.ts'
import {
  deliveredStatements,
  failedStatements,
  releasedStatement,
} from '../../../shared/db/deliveries/settle.ts'
import {
  findStale,
  markSeen,
  PRUNED_AT_ONCE,
  pruneStatements,
  STALE_AT_ONCE,
} from '../../../workers/delivery/db/sweep.ts'
import { env } from '../../support/env.ts'
import { changeRows, countRows, insertRow, seedRows } from '../../support/rows.ts'
import {
  insertDelivery,
  NOW,
  readDelivery,
  readWebhook,
  seedQuote,
  seedWebhook,
} from '../../support/webhooks.ts'

const { DB } = env

const claim = async (ids: number[], token = 'token', now = NOW): Promise<Claim[]> =>
  claimsOf(await claimStatement(DB, ids, token, now).all())

describe('a claim', () => {
  it('one of twenty concurrent claims succeeds, and takes the first of the order', async () => {
    const webhook = await seedWebhook()
    const ids = [await insertDelivery(webhook), await insertDelivery(webhook)]
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(ids, `token ${n}`)))
    expect(claims.flat().map(({ id }) => id)).toEqual([ids[0]])
  })

  it('settles nothing with a stale token, and once with its own', async () => {
    const webhook = await seedWebhook({ consecutiveFailures: 9 })
    const id = await insertDelivery(webhook)
    const [own] = await claim([id])
    const end = { code: 500, errorType: 'http', nextAttemptAt: null } as const
    const settle = (token: string) => failedStatements(DB, { ...own!, token }, end, NOW)
    const deliver = deliveredStatements(
      DB,
      [{ claim: { ...own!, token: 'stale' }, code: 204 }],
      NOW,
    )
    await DB.batch([...deliver, ...settle('stale')])
    expect(await readDelivery(id)).toMatchObject({ status: 'sending', attempts: 1 })
    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 9, state: 'active' })

    await DB.batch([...settle('token'), ...settle('token')])
    expect(await readDelivery(id)).toMatchObject({ status: 'dead', errorType: 'http' })
    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 10, state: 'failure' })
    expect(await countRows('notices', { code: 500, errorType: 'http' })).toBe(1)
  })

  it('is released by its own token alone, as it was before', async () => {
    const first = { status: 'failed', attempts: 1, lastAttemptAt: NOW - 9, nextAttemptAt: NOW }
    const id = await insertDelivery(await seedWebhook(), first)
    const [own] = await claim([id], 'token', NOW + 1)
    const release = (token: string, errorType: 'interrupted' | null, now: number) =>
      releasedStatement(DB, { ...own!, token }, { errorType, nextAttemptAt: now }, now).run()
    await release('stale', 'interrupted', NOW + 2)
    expect(await readDelivery(id)).toMatchObject({ status: 'sending', attempts: 2, releases: 0 })
    await release('token', 'interrupted', NOW + 2)
    const released = { releases: 1, errorType: 'interrupted', nextAttemptAt: NOW + 2 }
    expect(await readDelivery(id)).toMatchObject({ ...first, ...released })
    const [again] = await claim([id], 'token', NOW + 3)
    expect(again).toMatchObject({ attempts: 2, releases: 1 })
    await release('token', null, NOW + 4)
    expect(await readDelivery(id)).toMatchObject({ ...first, ...released, nextAttemptAt: NOW + 4 })
  })
})

it('a delivery of a webhook suspended meanwhile clears the failures, and pays no sync', async () => {
  const id = await seedWebhook({ sync: 'made', consecutiveFailures: 3 })
  const claims = await claim([await insertDelivery(id)])
  await changeRows('subscriptions', { state: 'capacity' }, { id })
  const delivered = claims.map((one) => ({ claim: one, code: 204 }))
  await DB.batch(deliveredStatements(DB, delivered, NOW))
  expect(await readWebhook(id)).toMatchObject({ sync: 'made', consecutiveFailures: 0 })
})

const owedIds = async () =>
  (await findOwedSyncs(DB, 500, 500).all<{ id: string }>()).results.map(({ id }) => id)

it('syncs are made of webhooks that still wait and have nothing else open', async () => {
  await seedQuote('usd/blue', 1400, 1450)
  const busy = await seedWebhook({ state: 'capacity', sync: 'owed' })
  const earlier = await insertDelivery(busy)
  const paused = await seedWebhook({ state: 'manual' })
  const resume = () => resumeWebhooks(DB, [busy, paused], { capacity: 4, now: NOW })
  expect([await owedIds(), await resume()]).toEqual([[], []])
  await changeRows('deliveries', { resolvedAt: NOW }, { id: earlier })
  expect(await owedIds()).toEqual([busy])
  expect(await resume()).toHaveLength(1)
  expect(await readWebhook(paused)).toMatchObject({ state: 'manual', version: 1 })
})

const staleIds = async (now: number) =>
  (await findStale(DB, now).all()).results.map((row) => row['id'])

const prune = async (now: number) => {
  const { pruned } = pruneStatements(DB, now)
  return (await pruned.all()).results.length
}

describe('a sweep', () => {
  it('finds rows half a minute after they were made, then those that were looked at longest ago', async () => {
    const webhook = await seedWebhook()
    const late = await insertDelivery(webhook, { lookAt: NOW + 30_000 })
    const early = await insertDelivery(webhook, { lookAt: NOW + 29_000 })
    const made = await insertDelivery(webhook, { lookAt: null })
    const lease = { status: 'sending', lookAt: NOW } as const
    const running = await insertDelivery(webhook, { ...lease, leaseUntil: NOW + 30_001 })
    const lapsed = await insertDelivery(webhook, { ...lease, leaseUntil: NOW + 30_000 })
    expect(await staleIds(NOW + 29_999)).toEqual([early])
    expect(await staleIds(NOW + 30_000)).toEqual([made, lapsed, early, late])

    const seen = [made, lapsed, running].map((id) => ({ id, at: NOW + 30_000 }))
    await markSeen(DB, seen).run()
    expect(await staleIds(NOW + 59_999)).toEqual([running, lapsed, early, late])
    await insertRow('installation', { id: 1, place: 'a copy', delivers: false })
    expect(await staleIds(NOW + 59_999)).toEqual([])
    expect(await claim([made, early, late])).toEqual([])
  })

  it('takes some at once, of deliveries and of rows past their seven days', async () => {
    await seedRows('deliveries', STALE_AT_ONCE + 1, { created_at: NOW })
    expect(await staleIds(NOW + 30_000)).toHaveLength(STALE_AT_ONCE)
    expect(await prune(NOW + 7 * DAY_MS - 1)).toBe(0)
    expect([await prune(NOW + 7 * DAY_MS), await prune(NOW + 7 * DAY_MS)]).toEqual([
      PRUNED_AT_ONCE,
      1,
    ])
  })
})
