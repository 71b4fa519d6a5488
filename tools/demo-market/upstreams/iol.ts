import { htmlUpstream } from '../upstream.ts'
import { dayMonthYear, dottedComma, longClock } from '../writing.ts'
import { crosses } from './dolarapi.ts'

/** Decimal comma, dotted thousands, Argentine time. */
export const iol = htmlUpstream(
  'iol.invertironline.com',
  '/mercado/cotizaciones/argentina/monedas',
  (market) => {
    const time = `${dayMonthYear(market.today, '/', false)} ${longClock(market.now)}`
    const row = ({ name, buy, sell }: ReturnType<typeof crosses>[number]) =>
      `<tr><td>${name}</td><td>${dottedComma(buy, 4)}</td><td>${dottedComma(sell, 4)}</td><td>${time}</td></tr>`

    return `<table id="cotizaciones"><tbody>
${crosses(market).map(row).join('\n')}
</tbody></table>`
  },
)
