import { expect, it } from 'vitest'
import { isOtherMode, setModeStatement } from '../../../../shared/db/quotes/service-mode.ts'
import { env } from '../../../support/env.ts'
import { readRows } from '../../../support/rows.ts'

const { DB } = env
it('a batch of another mode than the database has is aborted as a whole', async () => {
  await DB.batch([setModeStatement(DB, 'live')])
  const value = `insert into availability values ('2026-03-02', 1, 2, 3)`
  for (const mode of ['demo', 'live'] as const) {
    const batch = DB.batch([setModeStatement(DB, mode), DB.prepare(value)])
    expect(await batch.catch(isOtherMode)).toEqual(mode === 'live' ? expect.any(Array) : true)
    expect(await readRows('availability')).toHaveLength(mode === 'demo' ? 0 : 1)
  }
})
