import { expect, it } from 'vitest'
import { DAY_MS } from '../../../../shared/argentine-time.ts'
import {
  boardFromDatabase,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
} from '../../../../shared/db/quotes/quotes.ts'
import { correctPoint } from '../../../../tools/operate/import/corrections.ts'
import { blue, cycleAt, later, NOON, shownBoard } from '../../../support/cycle-deps.ts'
import { env } from '../../../support/env.ts'
import { setPoints } from '../../../support/points.ts'
import { changeRows } from '../../../support/rows.ts'

const cycle = (at: number, dead: string[] = []) => cycleAt(at, { blue: [1410, 1430], dead })

const revision = () => historyRevisionStatement(env.DB).first<number>('revision')
const shownRevision = async () => (await shownBoard())?.historyRevision

/** The blue dollar according to the board, its fallback and the operator's commands. */
async function everyReader(): Promise<number[]> {
  const published = (await shownBoard())!
  const boards = [published, await boardFromDatabase(env.DB, later(9))]
  const [quote] = currentQuotes(await currentQuotesStatement(env.DB).all())
  const instants = boards.map(({ quotes }) => Date.parse(quotes[0]!.lastScrapedAt))
  return [...instants, quote!.lastScrapedAt]
}

it('a cycle that confirms nothing keeps the last confirmation, for every reader', async () => {
  await cycle(NOON)
  await cycle(later(1))
  expect(await everyReader()).toEqual([later(1), later(1), later(1)])
  await cycle(later(2), ['mercados.ambito.com', 'dolarhoy.com'])
  expect(await everyReader()).toEqual([later(1), later(1), later(1)])
  expect((await boardFromDatabase(env.DB, later(9))).generatedAt).toBe(later(2))
})

it.each(['{', '', '[]', '"text"'])('a damaged row of all (%s) is mended', async (damaged) => {
  await cycle(NOON)
  await cycle(later(1))
  await changeRows('scraperState', { confirmedAt: damaged })

  expect(await everyReader()).toEqual([later(1), NOON, NOON])
  await cycle(later(2))
  expect(await everyReader()).toEqual([later(2), later(2), later(2)])
})

it('the revision of the past grows with a correction and is on every board; a cycle does not change it', async () => {
  const at = NOON - 3 * DAY_MS
  await setPoints([{ pair: blue.id, at, buy: 1, sell: 2 }])
  const before = await revision()
  await cycle(NOON)
  await cycle(later(1))
  expect([await shownRevision(), await revision()]).toEqual([before, before])

  const value = { buy: 1, sell: 3 }
  await correctPoint(env.DB, { pair: blue, at, reason: 'test', now: NOON, value })
  expect(await revision()).toBeGreaterThan(before!)
  expect(await shownRevision()).toBe(before)
  await cycle(later(2))
  expect(await shownRevision()).toBe(await revision())
})

it('each value in effect is read once, and the row of confirmations once', async () => {
  const { results } = await env.DB.prepare(
    'explain query plan select pair, last_scraped_at from confirmed_quotes',
  ).all<{ detail: string }>()
  expect(results.map(({ detail }) => detail.replace(/ \d+$/, ''))).toEqual([
    'SCAN q',
    'SCALAR SUBQUERY',
    'SCAN scraper_state',
  ])
})
