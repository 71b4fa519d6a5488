import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { Close } from '../../shared/board/charts.ts'
import { closesCsv } from '../../workers/site/pair/read-charts.ts'
import { CURRENT_READS, printCurrent } from '../../workers/edge/routes/current.ts'
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

/** The service's answers, made by its own printers. */
const ANSWERS: Record<string, string> = {
  '/api/v2/quotes?format=csv': printCurrent(
    board,
    CURRENT_READS.get('/api/v2/quotes')!,
    { kind: 'csv', locale: 'en-US' },
    NOW,
  )!.body,
  '/usd/blue/diario.csv': closesCsv([
    close('2023-12-29', 1000.5, 990),
    close('2026-02-27', 1430, 1410),
    close('2026-03-01', 1435, 1415),
  ]),
}

/** Google's part of the script, as documented; time zones are those of Buenos Aires. */
function openSheet(answers: Record<string, string | [status: number, text: string]> = ANSWERS) {
  const requested: string[] = []
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
        requested.push(path)
        const answer = answers[path] ?? [404, '']
        const [status, text] = typeof answer === 'string' ? [200, answer] : answer
        return { getResponseCode: () => status, getContentText: () => text }
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
      parseCsv: (text: string) => parse(text),
      formatDate: (date: Date) => new Date(date.getTime() - 10_800_000).toISOString().slice(0, 10),
    },
  })
  runInContext(SCRIPT, sheet)
  return {
    requested,
    formula: (...args: unknown[]): unknown =>
      runInContext('(args) => COTIZACION(...args)', sheet)(args),
    invoicing: (...args: unknown[]): unknown =>
      runInContext('(args) => FACTURACION(...args)', sheet)(args),
    date: (text: string): unknown => runInContext(`new Date('${text}')`, sheet),
  }
}

describe('=COTIZACION', () => {
  it.each([
    [['USD', 'BLUE'], 1440.5],
    [['usd', 'blue', undefined, 'compra'], 1420],
    [['USD', [['BLUE', 'OFICIAL']]], [[1440.5, 1450]]],
    // A close applies until the next one, over years; today has none yet.
    [['USD', 'BLUE', '2026-02-27'], 1430],
    [['USD', 'BLUE', '2026-02-28', 'compra'], 1410],
    [['USD', 'BLUE', '2026-03-02'], 1440.5],
    [['USD', 'BLUE', '2025-06-01'], 1000.5],
    [['USD', 'BLUE', '2023-12-28'], ''],
    [['USD', 'BLUE', '2001-01-01'], ''],
    // A blank cell gives a blank: only without the argument it means now.
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

  it('sends one request for a column of dates, and none for the next cell', () => {
    const { formula, requested } = openSheet()
    const days = [['2023-12-29'], ['2026-02-27'], ['2026-02-28'], ['2025-01-01']]
    expect(formula('USD', 'BLUE', days)).toEqual([[1000.5], [1430], [1430], [1000.5]])
    for (const [day] of days) formula('USD', 'BLUE', day)
    expect(requested).toEqual(['/usd/blue/diario.csv'])
  })

  it('sends one request for many pairs; a blank row stays blank', () => {
    const { formula, requested } = openSheet()
    const rows = [['BLUE'], ['OFICIAL'], ['']]
    expect(formula([['USD'], ['USD'], ['']], rows)).toEqual([[1440.5], [1450], ['']])
    expect(requested).toEqual(['/api/v2/quotes?format=csv'])
  })

  it.each([
    [['USD', 'XYZ'], 'No hay cotización de USD/XYZ'],
    [['USD', 'XYZ', '2026-02-27'], 'Eso no existe en el servicio'],
    [['USD', 'BLUE', '2026-03-03'], 'El 2026-03-03 todavía no llegó'],
    [['USD', 'BLUE', '27/2/2026'], 'La fecha es una fecha de la planilla'],
    [['USD', 'BLUE', undefined, 'medio'], 'El lado es "venta" o "compra"'],
  ])('%j says what is wrong: %s', (args, message) => {
    expect(() => openSheet().formula(...args)).toThrow(message)
  })

  it('shows an error only in its cell, and sends one request for a pair that does not exist', () => {
    const { formula, requested } = openSheet()
    const pairs = [['BLUE'], ['XYZ'], ['XYZ'], ['BLUE'], ['BLUE']]
    const days = [['2026-02-27'], ['2026-02-27'], ['2025-02-27'], ['2026-03-03'], ['2/3/2026']]
    expect(formula('USD', pairs, days)).toEqual([
      [1430],
      ['Error: Eso no existe en el servicio'],
      ['Error: Eso no existe en el servicio'],
      ['Error: El 2026-03-03 todavía no llegó'],
      ['Error: La fecha es una fecha de la planilla, o un texto como 2026-03-02'],
    ])
    expect(formula('USD', [['BLUE', 'XYZ']])).toEqual([
      [1440.5, 'Error: No hay cotización de USD/XYZ'],
    ])
    expect(requested.filter((path) => path.includes('xyz'))).toHaveLength(1)
  })

  it('keeps no value that Google would not keep: a century of closes goes by year', () => {
    const closes = Array.from({ length: 36_500 }, (_, index): Close => {
      return [-15_980 + index, 14_302_500, 14_105_000]
    })
    const { formula } = openSheet({ ...ANSWERS, '/usd/blue/diario.csv': closesCsv(closes) })
    expect(formula('USD', 'BLUE', '2001-01-01')).toBe(1430.25)
  })
})

const rateOn = (day: string) => `/api/v2/invoicing/usd?date=${day}&format=value`

describe('=FACTURACION', () => {
  const answers = {
    [rateOn('2026-03-02')]: '1460.5',
    [rateOn('2001-01-02')]: '',
    [rateOn('2027-03-02')]: [400, '{"error":"Todavía no se conoce"}'] as [number, string],
  }

  it('is the rate of a day, of a column of days, and blank or an error where there is none', () => {
    const { invoicing, requested } = openSheet(answers)
    expect(invoicing('USD', '2026-03-02')).toBe(1460.5)
    const days = [['2026-03-02'], [''], ['2001-01-02'], ['2027-03-02']]
    expect(invoicing('usd', days)).toEqual([[1460.5], [''], [''], ['Error: Todavía no se conoce']])
    expect(requested).toHaveLength(3)
    expect(() => invoicing('USD', '2027-03-02')).toThrow('Todavía no se conoce')
  })
})
