import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../shared/argentine-time.ts'
import { HOLIDAY_YEARS, isBankHoliday, isHoliday } from '../../shared/market/holidays.ts'
import { easterOf, holidayName } from '../../workers/site/calendar/holiday-names.ts'
import { art } from '../support/instant.ts'
import { openSite } from '../support/site.ts'

async function textOf(path: string, at = '2026-03-02 12:00') {
  const site = openSite()
  site.clock.now = art(at)
  const response = await site.fetch(path)
  const page = await response.text()
  return { status: response.status, text: page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
}

describe('the calendar', () => {
  it('lists the days of the running year on which banks or exchanges do not open', async () => {
    const { status, text } = await textOf('/calendario')
    expect(status).toBe(200)
    expect(text).toContain('Feriados bursátiles y bancarios 2026')
    expect(text).toContain('lunes 23/03 El próximo Puente turístico solo los bancos')
    expect(text).toContain('viernes 06/11 Día del Bancario solo los bancos')
    expect(text).toContain('viernes 25/12 Navidad bancos y mercados')
  })

  it.each([
    ['2026-03-02 12:00', 'Hoy, 2 de marzo de 2026, operan bancos y mercados.'],
    ['2026-03-01 12:00', 'no operan ni bancos ni mercados. Domingo.'],
    ['2026-11-06 12:00', 'operan los mercados y no los bancos. Sin bancos: Día del Bancario.'],
    ['2026-12-25 12:00', 'no operan ni bancos ni mercados. Feriado: Navidad.'],
  ])('at %s says %s', async (at, words) => {
    expect((await textOf('/calendario', at)).text).toContain(words)
  })

  it.each([
    ['/calendario/2027', 200],
    ['/calendario/2020', 404],
    ['/calendario/20261', 404],
    ['/calendario/hoy', 404],
  ])('%s answers %d', async (path, status) => {
    expect((await textOf(path)).status).toBe(status)
  })

  it('goes on with the last year known', async () => {
    const last = HOLIDAY_YEARS.at(-1)!
    const { text } = await textOf('/calendario', `${last + 2}-05-04 12:00`)
    expect(text).toContain(`bancarios ${last}`)
  })
})

describe('names', () => {
  it.each([
    [2021, '2021-04-04'],
    [2024, '2024-03-31'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
  ])('Easter of %d is %s', (year, day) => expect(easterOf(year)).toBe(day))

  it.each([
    ['2024-02-12', 'Carnaval'],
    ['2024-03-28', 'Jueves Santo'],
    ['2023-04-07', 'Viernes Santo'],
    ['2024-04-01', 'Puente turístico'],
    ['2021-06-21', 'Paso a la Inmortalidad de Martín Miguel de Güemes'],
    ['2023-06-19', 'Puente turístico'],
    ['2022-08-15', 'Paso a la Inmortalidad de José de San Martín'],
    ['2025-08-15', 'Puente turístico'],
    ['2021-10-11', 'Día del Respeto a la Diversidad Cultural'],
    ['2022-11-21', 'Puente turístico'],
    ['2026-11-23', 'Día de la Soberanía Nacional'],
    ['2022-12-20', 'Feriado nacional por el Mundial'],
    ['2026-03-02', null],
  ])('%s is %s', (day, name) => expect(holidayName(day)).toBe(name))

  it('every year has each moved holiday once, and every closed day a name', () => {
    for (const year of HOLIDAY_YEARS) {
      const names: string[] = []
      for (let day: Day = `${year}-01-01`; day.startsWith(`${year}`); day = addDays(day, 1)) {
        const name = holidayName(day)
        expect(name !== null, day).toBe(isHoliday(day) || isBankHoliday(day))
        if (name) names.push(name)
      }
      for (const part of ['Güemes', 'San Martín', 'Diversidad', 'Soberanía', 'Viernes Santo'])
        expect(
          names.filter((name) => name.includes(part)),
          `${part} ${year}`,
        ).toHaveLength(1)
    }
  })
})
