import { isDay } from '../../../shared/argentine-time.ts'
import { RISK_HOURS } from '../../../shared/market/market-hours.ts'
import { MONTHS } from '../../../shared/market/spanish-text.ts'
import { get, PAGE_HEADERS, refuseFuture, refuseOlderThanAWeek } from './document.ts'
import { attributeOf, elementsByTag, readHtml } from './html.ts'
import { parsePrice } from './number-text.ts'
import { formatError, type Source } from './source.ts'

const DESCRIPTION =
  /riesgo pa[ií]s hoy:?\s*([\d.,]*\d) \(actualizado al (\d{1,2}) de ([a-z]+) de (\d{4})\)/i

/**
 * The country risk is in the page's `description`: "Riesgo País hoy: 607 (actualizado al 30 de
 * septiembre de 2026)".
 */
export const rava: Source = {
  ...get('rava-riesgo', 15, RISK_HOURS, 'https://www.rava.com/perfil/RIESGO%20PAIS', PAGE_HEADERS),
  parse(body, now, replayed) {
    const tags = elementsByTag(readHtml(body), 'meta')
    const meta = tags.find((tag) => attributeOf(tag, 'name') === 'description')
    const [, points = '', day = '', month = '', year] =
      DESCRIPTION.exec(meta ? attributeOf(meta, 'content') : '') ?? []
    const number = String(MONTHS.indexOf(month.toLowerCase()) + 1)
    const updatedOn = `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`
    if (!isDay(updatedOn)) throw formatError('has no description with a number and its day')
    refuseFuture(updatedOn, now)
    refuseOlderThanAWeek(updatedOn, now, replayed)

    const price = parsePrice(points, 'comma')
    return [{ kind: 'quote', pair: 'ARG/RIESGO', buy: price, sell: price }]
  },
}
