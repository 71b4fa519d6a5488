import { expect, it } from 'vitest'
import { art } from '../support/instant.ts'
import { getPage, textOf } from './page.ts'
import { seedBoard } from '../support/board.ts'

const read = (path: string, at = '2026-03-02 12:00') => textOf(getPage(path, { now: art(at) }))
const statusOf = async (path: string, at = '2026-03-02 12:00') =>
  (await getPage(path, { now: art(at) })).status

it('the calendar lists the days of the running year on which banks or exchanges do not open', async () => {
  const text = await read('/calendario')
  expect(text).toContain('Feriados bursátiles y bancarios 2026')
  expect(text).toContain('lunes 23/03 El próximo Puente turístico solo los bancos')
  expect(text).toContain('viernes 06/11 Día del Bancario solo los bancos')
  expect(text).toContain('viernes 25/12 Navidad bancos y mercados')
  expect(text).toContain('sábado 20/06 Paso a la Inmortalidad de Manuel Belgrano (fin de semana)')
})

it.each([
  ['2026-03-02 12:00', 'Hoy, 2 de marzo de 2026, operan bancos y mercados.'],
  ['2026-03-01 12:00', 'no operan ni bancos ni mercados. Domingo.'],
  ['2026-11-06 12:00', 'operan los mercados y no los bancos. Sin bancos: Día del Bancario.'],
  ['2026-12-25 12:00', 'no operan ni bancos ni mercados. Feriado: Navidad.'],
])('the calendar at %s says %s', async (at, words) => {
  expect(await read('/calendario', at)).toContain(words)
})

it.each(['/calendario/2020', '/calendario/20261'])('%s answers 404', async (path) => {
  expect(await statusOf(path)).toBe(404)
})

it.each([
  ['/calendario/2026', 'los puentes de 2026, la norma que los fijó (Resolución JGM 164/2025)'],
  ['/calendario/2027', 'Todavía no se conoce la norma que fija los días no laborables'],
])('%s says whether the bridge days of the year are known', async (path, words) => {
  expect(await read(path)).toContain(words)
})

it('the calendar offers each next year as time goes on', async () => {
  const text = await read('/calendario', '2031-05-04 12:00')
  expect(text).toContain('bancarios 2031')
  expect(await statusOf('/calendario/2032', '2031-05-04 12:00')).toBe(200)
  expect(await statusOf('/calendario/2033', '2031-05-04 12:00')).toBe(404)
})

it('the calendar does not call a day closed for banks when they published its table', async () => {
  await seedBoard(art('2026-11-23 11:58'), { tableDay: '2026-11-23' })
  const text = await read('/calendario', '2026-11-23 12:00')
  expect(text).toContain('los bancos publican cotizaciones. Por calendario: Feriado: Día de la')
})
