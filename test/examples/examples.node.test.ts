import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Close } from '../../shared/board/charts.ts'
import { closesCsv } from '../../workers/site/pair/read-charts.ts'
import { findCurrentRead } from '../../workers/edge/current/current-read.ts'
import { formedResponse } from '../../workers/edge/current/forms.ts'
import { openResponses } from '../../workers/edge/current/board-responses.ts'
import type { Board, BoardQuote } from '../../shared/board/board.ts'
import { DAY_MS } from '../../shared/argentine-time.ts'

const NOW = Date.parse('2026-03-02T15:00:00Z')
const SCRIPT = readFileSync('examples/planillas/COTIZACION.gs', 'utf8')

const quote = (origin: string, buy: number, sell: number) =>
  ({ currency: 'USD', name: `Dólar ${origin}`, origin, buy, sell }) as BoardQuote
const board = { quotes: [quote('BLUE', 1420, 1440.5), quote('OFICIAL', 1400, 1450)] } as Board
const close = (day: string, sell: number, buy: number): Close => [
  Date.parse(day) / DAY_MS,
  sell * 10_000,
  buy * 10_000,
]

/** What the service answers, by its own printers. */
const ANSWERS: Record<string, string> = {
  '/api/v2/quotes?format=csv': formedResponse(
    openResponses(board, NOW),
    findCurrentRead('/api/v2/quotes')!,
    { kind: 'csv', locale: 'en-US' },
    NOW,
  )!.body,
  '/usd/blue/diario.csv': closesCsv([
    close('2023-12-29', 1000.5, 990),
    close('2026-02-27', 1430, 1410),
    close('2026-03-01', 1435, 1415),
  ]),
}

/** Google's part, as its reference has it; time zones are Buenos Aires's. */
function openSheet(answers = ANSWERS) {
  const asked: string[] = []
  const cache = new Map<string, string>()
  const sheet = createContext({
    Date: class extends Date {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([NOW] as unknown as []) : given))
      }
    },
    UrlFetchApp: {
      fetch(url: string) {
        const path = url.slice('https://cotizaciones.example'.length)
        asked.push(path)
        const text = answers[path]
        return {
          getResponseCode: () => (text === undefined ? 404 : 200),
          getContentText: () => text,
        }
      },
    },
    CacheService: {
      getScriptCache: () => ({
        get: (key: string) => cache.get(key) ?? null,
        put(key: string, value: string, seconds: number) {
          if (value.length > 100_000 || seconds > 21_600) throw new Error('Argument too large')
          cache.set(key, value)
        },
      }),
    },
    SpreadsheetApp: { getActive: () => ({ getSpreadsheetTimeZone: () => 'Buenos Aires' }) },
    Utilities: {
      formatDate: (date: Date) => new Date(date.getTime() - 10_800_000).toISOString().slice(0, 10),
    },
  })
  runInContext(SCRIPT, sheet)
  return {
    asked,
    formula: (...args: unknown[]): unknown =>
      runInContext('(args) => COTIZACION(...args)', sheet)(args),
    date: (text: string): unknown => runInContext(`new Date('${text}')`, sheet),
  }
}

describe('=COTIZACION', () => {
  it.each([
    [['USD', 'BLUE'], 1440.5],
    [['usd', 'blue', undefined, 'compra'], 1420],
    [['USD', [['BLUE', 'OFICIAL']]], [[1440.5, 1450]]],
    // A close stands until the next, over years; today has none yet.
    [['USD', 'BLUE', '2026-02-27'], 1430],
    [['USD', 'BLUE', '2026-02-28', 'compra'], 1410],
    [['USD', 'BLUE', '2026-03-02'], 1440.5],
    [['USD', 'BLUE', '2025-06-01'], 1000.5],
    [['USD', 'BLUE', '2023-12-28'], ''],
    [['USD', 'BLUE', '2001-01-01'], ''],
    // A blank cell stays blank: only without the argument it is now.
    [['USD', 'BLUE', ''], ''],
    [
      ['USD', 'BLUE', [['2026-02-27'], ['']]],
      [[1430], ['']],
    ],
    [
      [
        [['USD'], ['USD']],
        [['BLUE'], ['']],
      ],
      [[1440.5], ['']],
    ],
  ])('of %j is %j', (args, value) => {
    expect(openSheet().formula(...args)).toEqual(value)
  })

  it('takes a date of the sheet', () => {
    const { formula, date } = openSheet()
    expect(formula('USD', 'BLUE', date('2026-03-01T03:00:00Z'))).toBe(1435)
  })

  it('asks once for a column of dates, and not again for the next cell', () => {
    const { formula, asked } = openSheet()
    const days = [['2023-12-29'], ['2026-02-27'], ['2026-02-28'], ['2025-01-01']]
    expect(formula('USD', 'BLUE', days)).toEqual([[1000.5], [1430], [1430], [1000.5]])
    for (const [day] of days) formula('USD', 'BLUE', day)
    expect(asked).toEqual(['/usd/blue/diario.csv'])
  })

  it('asks once for many pairs; a blank row stays blank', () => {
    const { formula, asked } = openSheet()
    const rows = [['BLUE'], ['OFICIAL'], ['']]
    expect(formula([['USD'], ['USD'], ['']], rows)).toEqual([[1440.5], [1450], ['']])
    expect(asked).toEqual(['/api/v2/quotes?format=csv'])
  })

  it.each([
    [['USD', 'XYZ'], 'No hay cotización de USD/XYZ'],
    [['USD', 'XYZ', '2026-02-27'], 'Ese par no existe'],
    [['USD', 'BLUE', '2026-03-03'], 'El 2026-03-03 todavía no llegó'],
    [['USD', 'BLUE', '27/2/2026'], 'La fecha es una fecha de la planilla'],
    [['USD', 'BLUE', undefined, 'medio'], 'El lado es "venta" o "compra"'],
  ])('%j says what is wrong: %s', (args, message) => {
    expect(() => openSheet().formula(...args)).toThrow(message)
  })

  it('keeps no value that Google would not keep: a century of closes goes by year', () => {
    const closes = Array.from({ length: 36_500 }, (_, index): Close => {
      return [-15_980 + index, 14_302_500, 14_105_000]
    })
    const { formula } = openSheet({ ...ANSWERS, '/usd/blue/diario.csv': closesCsv(closes) })
    expect(formula('USD', 'BLUE', '2001-01-01')).toBe(1430.25)
  })
})
