import * as z from 'zod'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { check, type Check } from '../check.ts'
import { expectAnswer, readJson, that } from '../expect.ts'
import { quote, legacyQuote, quoteWithChange } from '../forms.ts'

const CURRENT = { 'Cache-Control': 'public, max-age=60', ETag: /^"[^"]+"$/ }
/** How far the clock of this machine may be from the service's. */
const SKEW_MS = MINUTE_MS

const keyOf = ({ currency, origin }: { currency: string; origin: string }) =>
  `${currency}/${origin}`

export const currentChecks: Check[] = [
  check(
    'current reads: every quoted pair once, in catalogue order and in the contract’s form',
    async ({ ask }) => {
      const quotes = readJson('/api/v2/quotes', await ask('/api/v2/quotes'), z.array(quote))
      that(quotes.length > 0, '/api/v2/quotes has no quote')
      const keys = quotes.map(keyOf)
      const inOrder = PAIRS.map(pairKey).filter((key) => keys.includes(key))
      that(keys.join() === inOrder.join(), `/api/v2/quotes is not in catalogue order: ${keys}`)
    },
  ),
  check(
    'current reads: no instant in the future, none confirmed before it was seen',
    async ({ ask, now }) => {
      const quotes = readJson('/api/v2/quotes', await ask('/api/v2/quotes'), z.array(quote))
      for (const each of quotes) {
        const [updated, scraped] = [Date.parse(each.updatedAt), Date.parse(each.lastScrapedAt)]
        that(scraped <= now() + SKEW_MS, `${keyOf(each)} was confirmed in the future`)
        that(updated <= scraped, `${keyOf(each)} was confirmed before it was seen`)
      }
    },
  ),
  check(
    'current reads: kept for 60 seconds, with a strong ETag that answers 304',
    async ({ ask }) => {
      const answer = await ask('/api/v2/usd')
      expectAnswer('/api/v2/usd', answer, { status: 200, headers: CURRENT })
      const again = await ask('/api/v2/usd', {
        headers: { 'If-None-Match': answer.headers.get('ETag')! },
      })
      expectAnswer('/api/v2/usd with its ETag', again, { status: 304, headers: CURRENT })
    },
  ),
  check('current reads: a pair by itself, in any letter case, with its change', async ({ ask }) => {
    const list = readJson('/api/v2/usd', await ask('/api/v2/usd'), z.array(quote))
    const [first] = list
    that(first, '/api/v2/usd has no quote')
    that(
      list.every(({ currency }) => currency === 'USD'),
      '/api/v2/usd has quotes of another currency',
    )
    const path = `/api/v2/USD/${first.origin.toLowerCase()}`
    const alone = readJson(path, await ask(path), quoteWithChange, { headers: CURRENT })
    that(keyOf(alone) === keyOf(first), `${path} is ${keyOf(alone)}`)
    if (alone.change) {
      const { amount, referenceValue } = alone.change
      const isRight = Math.abs(alone.sell - referenceValue - amount) < 1e-6
      that(isRight, `${path}: change.amount is not sell less referenceValue`)
    }
  }),
  check('current reads: v1 in Spanish field names, a list and a pair', async ({ ask }) => {
    const [first] = readJson('/api/usd', await ask('/api/usd'), z.array(legacyQuote), {
      headers: CURRENT,
    })
    that(first, '/api/usd has no quote')
    const path = `/api/usd/${first.origen.toLowerCase()}`
    const alone = readJson(path, await ask(path), legacyQuote, { headers: CURRENT })
    that(alone.origen === first.origen, `${path} is another pair`)
  }),
  check(
    'current reads: HEAD as GET, without a body; a preflight from any page',
    async ({ ask }) => {
      const head = await ask('/api/v2/quotes', { method: 'HEAD' })
      expectAnswer('HEAD /api/v2/quotes', head, { status: 200, headers: CURRENT })
      that(head.text === '', 'HEAD /api/v2/quotes has a body')
      const preflight = await ask('/api/v2/quotes', {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://a.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'x-api-key',
        },
      })
      expectAnswer('a preflight', preflight, {
        status: 204,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Headers': /x-api-key/i,
          'Access-Control-Allow-Credentials': null,
        },
      })
    },
  ),
]
