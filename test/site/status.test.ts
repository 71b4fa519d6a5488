import { expect, it } from 'vitest'
import { formatArgentine, HOUR_MS, MINUTE_MS } from '../../shared/argentine-time.ts'
import { addAvailability } from '../../workers/scraper/db/cycles.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/faulty-database.ts'
import { everyQuote, seedBoard } from '../support/board.ts'
import { getPage } from './page.ts'
import { NOON } from '../support/instant.ts'

const allFresh = everyQuote({ lastScrapedAt: formatArgentine(NOON - MINUTE_MS) })

const readPage = (options: Parameters<typeof getPage>[1] = {}) =>
  getPage('/estado', options).then(async (page) => (await page.text()).replaceAll('\u00a0', ' '))

it('the status page says that all is well, each pair with its age and source, and the last error of each source', async () => {
  const source = { lastSuccessAt: null, lastError: null, everyMinutes: 5 }
  await seedBoard(NOON, {
    quotes: allFresh,
    sources: [
      { ...source, name: 'bna', lastSuccessAt: formatArgentine(NOON) },
      { ...source, name: 'rava', lastError: 'timeout' },
    ],
  })
  const page = await readPage()

  expect(page).toContain('Todo funciona')
  expect(page).toContain('19 de 19 cotizaciones al día')
  expect(page.match(/Al día/g)).toHaveLength(19)
  expect(page).toContain('Dólar Banco Nación')
  expect(page).not.toContain('Modo demo')
  expect(page).toContain('1 de 2 fallan')
  expect(page).toMatch(/bna.*?recién.*?responde/)
  expect(page).toMatch(/rava.*?nunca.*?no respondió a tiempo/)
})

it('the status page marks what is late, held and missing', async () => {
  const quotes = allFresh.slice(1)
  quotes[0] = { ...quotes[0]!, lastScrapedAt: formatArgentine(NOON - 2 * HOUR_MS), held: true }
  await seedBoard(NOON, { quotes, mode: 'upstream' })
  const page = await readPage()

  expect(page).toContain('Hay demoras')
  expect(page).toContain('17 de 19 cotizaciones al día')
  expect(page).toMatch(/Dólar Banco Nación.*?Demorada.*?Valor nuevo en revisión.*?hace 2 h/)
  expect(page).toMatch(/Dólar Oficial.*?Sin datos.*?nunca/)
  expect(page).toContain('Los precios vienen de una grabación')
})

it('the status page says why the service is down', async () => {
  await seedBoard(NOON, { quotes: allFresh, clockWrong: true })
  const page = await readPage()
  expect(page).toContain('El servicio no está actualizando cotizaciones')
  expect(page).toContain('19 de 19 cotizaciones todavía están al día')
  expect(page).toContain('El reloj del servicio está mal: no se registra nada hasta')
})

it('the status page shows 90 days: a bar for each, and a table of those that are known', async () => {
  await seedBoard(NOON, { quotes: allFresh })
  await addAvailability(env.DB, [
    { day: '2025-12-02', ok: HOUR_MS, degraded: 0, down: 0 },
    { day: '2025-12-03', ok: 24 * HOUR_MS, degraded: 0, down: 0 },
    { day: '2025-12-04', ok: 1e9, degraded: 0, down: 1 }, // no outage shows as 100 %
    { day: '2026-03-01', ok: 22 * HOUR_MS, degraded: HOUR_MS, down: 1.5 * HOUR_MS },
  ]).run()
  const page = await readPage()

  expect(page.match(/<rect/g)).toHaveLength(90)
  expect(page).toContain('99,54 % disponible')
  expect(page).toMatch(
    /<th scope="row">01\/03\/2026<\/th><td>93,87 %<\/td><td>1 h<\/td><td>1 h 30 min</,
  )
  expect(page).toContain('03/12/2025: 100 % disponible')
  expect(page).toMatch(/04\/12\/2025<\/th><td>99,99 %<\/td><td>0 min<\/td><td>0 min/)
  expect(page).not.toContain('>02/12/2025') // the 91st day
})

it('the status page is shown without a board and without a database', async () => {
  const page = await readPage({ env: { DB: failing('overloaded') } })

  expect(page).toContain('El servicio no está actualizando cotizaciones')
  expect(page).toContain('La historia no está disponible')
  expect(page).toContain('Los números no están disponibles')
  expect(page).not.toContain('overloaded')
})
