import { expect, it, vi } from 'vitest'
import type { Day, Instant } from '../../shared/argentine-time.ts'
import { statusOf } from '../../shared/board/status.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { BOND_HOURS } from '../../shared/market/market-hours.ts'
import { isOpen } from '../../workers/scraper/collect/hours.ts'
import { CLOSE_UNKNOWN } from '../../shared/sentences.ts'
import { doubtsOf } from '../../workers/site/status.tsx'
import { cycleAt, shownBoard } from '../support/cycle-deps.ts'
import { document } from '../support/documents.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { openSite } from '../support/site.ts'

/** Banco Nación's page of a day with two prices; all other sources answer 404. */
function pageOf(day: string, banknote: string, wholesale: string): string {
  return document('bna-personas.html')
    .replaceAll('4/3/2026', day)
    .replace('1480,00', banknote)
    .replace('1460.5000', wholesale)
}

/** With a holiday on 10 November (Tuesday) that the law and the built-in calendar do not have. */
const HOLIDAYS = document('argentinadatos-feriados.json').replace(
  ' {\n  "fecha": "2026-11-23"',
  ' { "fecha": "2026-11-10", "tipo": "inamovible", "nombre": "Feriado dudoso" },\n$&',
)
const BONDS = document('byma-bonds.json')

/** Runs a cycle. Returns whether it requested the bank and the panel of bonds. */
async function cycle(at: Instant, page: string, holidays = 'down', panel = BONDS) {
  const asked = { bank: false, bonds: false }
  const sources: typeof fetch = async (input) => {
    const { host, pathname } = new URL(input instanceof Request ? input.url : String(input))
    if (pathname.startsWith('/v1/feriados/')) return new Response(holidays)
    if (host === 'open.bymadata.com.ar') {
      asked.bonds = true
      return new Response(panel)
    }
    if (host !== 'www.bna.com.ar') return new Response('down', { status: 404 })
    asked.bank = true
    return new Response(page)
  }
  await cycleAt(at, sources)
  return asked
}

async function shown(pair: string, at: Instant) {
  const board = (await shownBoard())!
  const { fresh } = statusOf(board, at).pairs.find(({ origin }) => origin === pair)!
  return { sell: board.quotes.find(({ origin }) => origin === pair)?.sell, fresh }
}

const bna = (at: Instant) => shown('BNA', at)

async function rateOn(date: Day, now: Instant) {
  return (await openEdge({ now }).fetch(`/api/v2/invoicing/usd?date=${date}`)).json()
}

const FRIDAY = pageOf('20/11/2026', '1480,00', '1460.5000')
const MONDAY = pageOf('23/11/2026', '1485,00', '1466.0000')

it('a table that the bank prints on a holiday of the calendar is read within an hour, and later tables as on any day', async () => {
  await cycle(art('2026-11-20 18:55'), FRIDAY)
  expect((await cycle(art('2026-11-23 09:00'), FRIDAY)).bank).toBe(true)
  expect((await cycle(art('2026-11-23 09:05'), FRIDAY)).bank).toBe(false)
  expect(await bna(art('2026-11-23 09:55'))).toEqual({ sell: 1480, fresh: true })

  expect((await cycle(art('2026-11-23 10:00'), MONDAY)).bank).toBe(true)
  expect(await bna(art('2026-11-23 10:00'))).toEqual({ sell: 1485, fresh: true })
  expect((await cycle(art('2026-11-23 10:05'), MONDAY)).bank).toBe(true)
  expect(await bna(art('2026-11-23 10:20'))).toEqual({ sell: 1485, fresh: true })
  expect(await bna(art('2026-11-23 10:21'))).toEqual({ sell: 1485, fresh: false })

  const rebuilt = await boardFromDatabase(env.DB, art('2026-11-23 10:21'))
  expect(rebuilt.tableDay).toBe('2026-11-23')

  expect(await rateOn('2026-11-24', art('2026-11-24 10:00'))).toMatchObject({
    rateDate: '2026-11-23',
    sell: 1466,
    stale: false,
  })
})

/** The last bank day before 10 November: the 6th is the banks' day, the 9th a decreed holiday. */
const THURSDAY = art('2026-11-05 18:55')
const TUESDAY = art('2026-11-10 10:00')
const NOVEMBER = pageOf('5/11/2026', '1480,00', '1460.5000')

it('a holiday that only the list has is closed for banks, market hours, invoices and the calendar', async () => {
  await cycle(THURSDAY, NOVEMBER, HOLIDAYS)
  const board = (await shownBoard())!
  expect(board.decreed).toEqual([
    {
      day: '2026-11-10',
      name: 'Feriado dudoso',
      isHoliday: true,
      exchanges: false,
    },
  ])
  expect(board.lacking).toEqual(['2026-12-07'])
  expect(await bna(TUESDAY)).toEqual({ sell: 1480, fresh: false })
  expect(isOpen(BOND_HOURS, art('2026-11-10 12:00'), board)).toBe(false)

  const now = art('2026-11-11 10:00')
  const rate = { rateDate: '2026-11-05', stale: false }
  const unknown = { error: CLOSE_UNKNOWN }
  expect(await rateOn('2026-11-11', art('2026-11-10 18:59'))).toEqual(unknown)
  expect(await rateOn('2026-11-11', art('2026-11-10 19:00'))).toMatchObject(rate)
  expect(await rateOn('2026-11-11', now)).toMatchObject(rate)

  const site = openSite()
  site.clock.now = TUESDAY
  const page = await (await site.fetch('/calendario/2026')).text()
  expect(page).toContain('Feriado dudoso')
  expect(page).toContain('no operan ni bancos ni mercados')

  // A broken list changes nothing, and so does a day without an answer.
  await cycle(art('2026-11-11 09:00'), NOVEMBER, '[]')
  expect((await boardFromDatabase(env.DB, now)).decreed).toEqual(board.decreed)
})

it('when a wrong row of the list closes the exchange, its bonds are requested once an hour until they move', async () => {
  const moved = BONDS.replaceAll('80040', '80200')
  await cycle(art('2026-11-06 17:25'), NOVEMBER, HOLIDAYS)
  const asked = async (time: string, panel?: string) =>
    (await cycle(art(`2026-11-10 ${time}`), NOVEMBER, 'down', panel)).bonds
  expect([await asked('11:00'), await asked('11:05')]).toEqual([true, false])
  const { sell } = await shown('CCL', art('2026-11-10 11:05'))
  expect(await shown('CCL', art('2026-11-10 11:20'))).toEqual({ sell, fresh: false })

  expect([await asked('12:00', moved), await asked('12:05', moved)]).toEqual([true, true])
  const reopened = await shown('CCL', art('2026-11-10 12:05'))
  expect(reopened).toEqual({ sell: expect.closeTo(sell! * (802 / 800.4), 0), fresh: true })
  expect((await boardFromDatabase(env.DB, TUESDAY)).tradedDay).toBe('2026-11-10')
})

it('the log and the status name a business day without a table as a possible holiday', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await cycle(art('2026-11-19 18:55'), pageOf('19/11/2026', '1480,00', '1460.5000'))
  for (const time of ['15:55', '16:00', '16:05'])
    await cycle(art(`2026-11-20 ${time}`), pageOf('19/11/2026', '1480,00', '1460.5000'))
  const events = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as object)
  expect(events.filter((event) => 'day' in event)).toMatchObject([
    { event: 'may_be_holiday', day: '2026-11-20' },
  ])
  const board = await shownBoard()
  expect(doubtsOf(statusOf(board, art('2026-11-20 16:10')).calendar)).toEqual([
    'Ningún banco publicó su tabla del 20/11/2026: puede ser un feriado.',
  ])
  vi.restoreAllMocks()
})
