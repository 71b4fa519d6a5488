import { expect, it } from 'vitest'
import type { Instant } from '../../shared/argentine-time.ts'
import { BOARD_KEY, parseBoard } from '../../shared/board/board.ts'
import { statusOf } from '../../shared/board/status.ts'
import { boardFromDatabase } from '../../shared/db/quotes/board-fallback.ts'
import { readInvoicing } from '../../shared/db/quotes/invoicing.ts'
import { findInvoicingCurrency, invoicingRate } from '../../shared/market/invoicing.ts'
import { runCycle } from '../../workers/scraper/cycle.ts'
import { cycleDeps } from '../support/cycle-deps.ts'
import { document } from '../support/documents.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'

/** Banco Nación's page of a day, with its two dollars; every other source answers 404. */
function pageOf(day: string, banknote: string, wholesale: string): string {
  return document('bna-divisas.html')
    .replaceAll('4/3/2026', day)
    .replace('1480,00', banknote)
    .replace('1460.5000', wholesale)
}

/** Runs the cycle of an instant; answers whether it asked the bank. */
async function cycle(at: Instant, page: string): Promise<boolean> {
  let asked = false
  const bank: typeof fetch = async (input) => {
    const { host } = new URL(input instanceof Request ? input.url : String(input))
    if (host !== 'www.bna.com.ar') return new Response('down', { status: 404 })
    asked = true
    return new Response(page)
  }
  await runCycle(env, cycleDeps({ now: () => at, fetch: bank }), at)
  return asked
}

async function bna(at: Instant) {
  const board = parseBoard(await env.BOARD.get(BOARD_KEY))!
  const { fresh } = statusOf(board, at).pairs.find(({ origin }) => origin === 'BNA')!
  return { sell: board.quotes.find(({ origin }) => origin === 'BNA')?.sell, fresh }
}

const FRIDAY = pageOf('20/11/2026', '1480,00', '1460.5000')
const MONDAY = pageOf('23/11/2026', '1485,00', '1466.0000')

it('a bank that prints its table on a holiday of the calendar is heard within the hour, and then as on any day', async () => {
  await cycle(art('2026-11-20 18:55'), FRIDAY)
  expect(await cycle(art('2026-11-23 09:00'), FRIDAY)).toBe(true)
  expect(await cycle(art('2026-11-23 09:05'), FRIDAY)).toBe(false)
  expect(await bna(art('2026-11-23 09:55'))).toEqual({ sell: 1480, fresh: true })

  expect(await cycle(art('2026-11-23 10:00'), MONDAY)).toBe(true)
  expect(await bna(art('2026-11-23 10:00'))).toEqual({ sell: 1485, fresh: true })
  expect(await cycle(art('2026-11-23 10:05'), MONDAY)).toBe(true)
  expect(await bna(art('2026-11-23 10:20'))).toEqual({ sell: 1485, fresh: true })
  expect(await bna(art('2026-11-23 10:21'))).toEqual({ sell: 1485, fresh: false })

  const rebuilt = await boardFromDatabase(env.DB, art('2026-11-23 10:21'))
  expect(rebuilt.tableDay).toBe('2026-11-23')

  const known = await readInvoicing(env.DB, ['USD'], '2026-11-24', art('2026-11-24 10:00'))
  const usd = findInvoicingCurrency('USD')!
  expect(invoicingRate(usd, '2026-11-24', known.rates[0]!, known)).toMatchObject({
    rateDate: '2026-11-23',
    sell: 1466,
    stale: false,
  })
})

it('a holiday on which the bank prints nothing new stays one: its close of before is fresh, and that day’s invoices use it', async () => {
  await cycle(art('2026-11-20 18:55'), FRIDAY)
  for (const hour of ['09', '10', '11', '12']) await cycle(art(`2026-11-23 ${hour}:00`), FRIDAY)
  expect(await bna(art('2026-11-23 12:55'))).toEqual({ sell: 1480, fresh: true })

  const known = await readInvoicing(env.DB, ['USD'], '2026-11-24', art('2026-11-24 10:00'))
  const usd = findInvoicingCurrency('USD')!
  expect(invoicingRate(usd, '2026-11-24', known.rates[0]!, known)).toMatchObject({
    rateDate: '2026-11-20',
    stale: false,
  })
})
