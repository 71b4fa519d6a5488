import { expect, it } from 'vitest'
import { boardFromDatabase } from '../../../../shared/db/quotes/board-fallback.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { seedCurrent } from '../../../support/seed.ts'
import { insertRows } from '../../../../tools/prove/harness/rows.ts'

const NOON = art('2026-03-02 12:00')

it.each(['', '{', 'null', '{"at":1}', '[]'])(
  'a board is made of the values although the last cycle left %j of itself',
  async (cycle) => {
    await seedCurrent('USD/BLUE', { at: NOON })
    await env.DB.prepare(insertRows('scraper_state', { cycle: '?' }))
      .bind(cycle)
      .run()

    expect(await boardFromDatabase(env.DB, NOON)).toMatchObject({
      everySeconds: 300,
      mode: 'live',
      quotes: [{ sell: 1430 }],
    })
  },
)
