import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatArgentine } from '../../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { admin, startService } from '../../../../tools/prove/harness/service.ts'

const BLUE = findPairByKey('usd/blue')!

const ALERT = {
  url: 'https://hooks.example.com/alerts',
  currency: 'USD',
  origin: 'BLUE',
  condition: 'above',
  threshold: 1_000_000,
  enabled: true,
}

it('a running service sends a withdrawal as soon as its command ends, without waiting for a sweep of its own', async () => {
  // Nobody listens there, so that an attempt fails at once, with a network or without.
  const receiver = ['--receiver', 'hooks.example.com=127.0.0.1:9']
  await using service = await startService(['--demo', '--no-backfill', ...receiver])
  const { stateDir } = service
  const headers = {
    'x-api-key': readFileSync(join(stateDir, 'local-key'), 'utf8').trim(),
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ ...ALERT, operationId: crypto.randomUUID() })
  const made = await service.get('/api/v2/alerts', { method: 'POST', headers, body })
  expect(made.status, await made.clone().text()).toBe(201)
  await using storage = await openLocal(stateDir)
  const { db } = storage
  const at = await fire(db)

  const removed = await admin([
    `--state=${stateDir}`,
    'points',
    'remove',
    'usd/blue',
    formatArgentine(at),
    '--reason=wrong',
  ])
  expect(removed).toMatchObject({ code: 0 })

  const attempts = () =>
    db
      .prepare(`select attempts from deliveries where body ->> '$.event' = 'alert.withdrawn'`)
      .first('attempts')
  await expect.poll(attempts, { timeout: 10_000, interval: 200 }).toBeGreaterThan(0)
})

/** The one alert fires by the point in effect; returns the instant of the point. */
async function fire(db: D1Database): Promise<number> {
  const at = await db
    .prepare(
      `insert into alert_firings (at, alert_id, kind, delivery_id, pair, side, condition, threshold,
         value, value_at, body, notified_at)
       select p.at, a.id, 'triggered', 'fired', p.pair, 'sell', 'above', 1, p.sell, p.at,
         '{"event":"alert.triggered"}', p.at
       from alerts a cross join (select * from points where pair = ? order by at desc limit 1) p
       returning at`,
    )
    .bind(BLUE.id)
    .first<number>('at')
  return at!
}
