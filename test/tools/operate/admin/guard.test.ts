import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import { PairState } from '../../../scraper/guard/pair-state.ts'
import { insertRows } from '../../../../tools/prove/harness/rows.ts'

const run = (...args: string[]) => runAdmin({ db: env.DB, kv: env.BOARD }, 'guard', ...args)

it('shows each source’s last reading, its basis, spread and age, and the evidence', async () => {
  const state = new PairState('USD/BLUE', [1125, 1145])
  state.now -= 51 * 5 * MINUTE_MS
  state.cycles(50, { first: [1125, 1145], second: [1128, 1148] })
  state.cycle({ first: [1350, 1374], second: [1128, 1148] })
  await env.DB.prepare(insertRows('scraper_state', { guard: '?' }))
    .bind(JSON.stringify({ 'USD/BLUE': state.memory }))
    .run()

  const lines = await run('usd/blue')
  expect(lines[0]).toBe('USD/BLUE  has no value yet')
  const first = lines.findIndex((line) => line.startsWith('first: held  1350/1374'))
  expect(lines[first + 1]).toMatch(
    /^  first value: \+6\.0 · unchanged for 0 min: \+0\.0 .* of 6: believed$/,
  )
  expect(lines.find((line) => line.startsWith('second:'))).toMatch(
    /active  1128\/1148 .* basis 0\.27 % \/ 0\.26 % .* spread 1\.76 %/,
  )
})
