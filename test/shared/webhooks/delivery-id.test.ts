import { expect, it } from 'vitest'
import { deliveryIdSql } from '../../../shared/webhooks/delivery.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const now = art('2026-03-02 12:00:00.123')
const prefix = now
  .toString(16)
  .padStart(12, '0')
  .replace(/^(.{8})/, '$1-')

it('is a UUID v7 of its instant, another for every row', async () => {
  const { results } = await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
     select ${deliveryIdSql('?1')} as id from n`,
  )
    .bind(now)
    .all<{ id: string }>()
  const ids = results.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2000)
  expect(new Set(ids.map((id) => id[19]))).toEqual(new Set(['8', '9', 'a', 'b']))
  for (const id of ids) {
    expect(id).toMatch(UUID_V7)
    expect(id.startsWith(prefix)).toBe(true)
  }
})
