import * as z from 'zod'
import { addDays, argentineDay } from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { check, type Check } from '../check.ts'
import { expectAnswer, expectError, readJson, that } from '../expect.ts'
import { datedQuote } from '../forms.ts'

/** Eight reads in all, to stay under the limit of 20 in ten seconds. */
export const dateChecks: Check[] = [
  check('date reads: a closed day, of all pairs, kept for a day', async ({ ask, now }) => {
    const day = addDays(argentineDay(now()), -2)
    const path = `/api/v2/date/${day}`
    const quotes = readJson(path, await ask(path), z.array(datedQuote), {
      headers: { 'Cache-Control': 'public, max-age=86400' },
    })
    that(quotes.length === PAIRS.length, `${path} has ${quotes.length} pairs`)
    for (const { requestedAt, quotedAt, currency, origin } of quotes) {
      that(requestedAt === `${day}T23:59:59.999-03:00`, `${path} asks for ${requestedAt}`)
      const isLater = quotedAt !== null && Date.parse(quotedAt) > Date.parse(requestedAt)
      that(!isLater, `${path}: ${currency}/${origin} has a value from later`)
    }
  }),
  check(
    'date reads: today, the value that the current read has, kept for a minute',
    async ({ ask, now }) => {
      const path = `/api/v2/date/${argentineDay(now())}/usd/oficial`
      const dated = readJson(path, await ask(path), datedQuote, {
        headers: { 'Cache-Control': 'public, max-age=60' },
      })
      const isWhole = (dated.quotedAt === null) === (dated.sell === null)
      that(isWhole, `${path} has a value without its instant, or an instant without its value`)
      that(dated.daysStale === null || dated.daysStale >= 0, `${path} is from the future`)
    },
  ),
  check('date reads: as CSV, with a header row', async ({ ask, now }) => {
    const path = `/api/v2/date/${argentineDay(now())}/usd?format=csv`
    const answer = await ask(path)
    expectAnswer(path, answer, { status: 200, type: 'text/csv', headers: { Vary: /accept/i } })
    const header = Object.keys(datedQuote.shape).join()
    that(answer.text.startsWith(`${header}\r\n`), `${path} does not begin with ${header}`)
  }),
  check(
    'date reads: a day in the future, a day that is none and odd parameters are 400',
    async ({ ask, now }) => {
      const today = argentineDay(now())
      for (const path of [
        `/api/v2/date/${addDays(today, 2)}/usd`,
        '/api/v2/date/2026-02-30/usd',
        '/api/v2/date/2026-01-02/usd?time=25:00',
        '/api/v2/date/2026-01-02/usd?nada=1',
      ])
        expectError(path, await ask(path), { status: 400 })
    },
  ),
]
