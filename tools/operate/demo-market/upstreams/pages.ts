import type { Market } from '../market.ts'
import { htmlUpstream } from '../upstream.ts'
import { clock, comma, dayMonthYear, dottedComma, longClock, MONTHS } from '../writing.ts'
import { crosses } from './dolarapi.ts'

/** Two tables of the same class: banknotes with decimal comma, wholesale with decimal point. */
export const bna = htmlUpstream('www.bna.com.ar', '/Personas', (market) => {
  const { bna, bnaEuro, bnaReal } = market
  const lastTable = market.lastTable()

  return `<html><body>
<div class="tab-pane fade in active" id="billetes">
${table(market, [
  ['Dolar U.S.A', comma(bna.buy), comma(bna.sell)],
  ['Euro', comma(bnaEuro.buy), comma(bnaEuro.sell)],
  ['Real *', comma(bnaReal.buy * 100), comma(bnaReal.sell * 100)],
])}
<div class="legal">(*) cotización cada 100 unidades</div>
</div>
<div class="tab-pane fade" id="divisas">
${table(
  lastTable,
  wholesaleRows(lastTable).map(({ title, buy, sell }) => [title, buy, sell]),
)}
<div class="legal">(*) cotización cada 100 unidades</div>
</div>
</body></html>`
})

/** Dollars that one of each currency is worth here; `*` is printed for a hundred of it. */
const CROSSES: readonly (readonly [title: string, currency: string, dollars: number])[] = [
  ['Dolar U.S.A', 'USD', 1],
  ['Libra Esterlina', 'GBP', 1.354],
  ['Euro', 'EUR', Number.NaN],
  ['Franco Suizos *', 'CHF', 1.239],
  ['YENES *', 'JPY', 0.00643],
  ['Dolares Canadienses *', 'CAD', 0.7234],
  ['Coronas Danesas *', 'DKK', 0.1556],
  ['Coronas Noruegas *', 'NOK', 0.1079],
  ['Coronas Suecas *', 'SEK', 0.1049],
  ['Yuan *', 'CNY', 0.1466],
  ['Dolar Australiano', 'AUD', 0.7201],
]

/** The bank's wholesale table as it prints it. */
export function wholesaleRows({ mayorista, eurUsd }: Pick<Market, 'mayorista' | 'eurUsd'>) {
  return CROSSES.map(([title, currency, dollars]) => {
    const units = title.endsWith('*') ? 100 : 1
    const factor = units * (currency === 'EUR' ? eurUsd : dollars)
    const [buy, sell] = [point(mayorista.buy * factor), point(mayorista.sell * factor)]
    return { title, currency, units, buy, sell }
  })
}

function table({ now, today }: Market, rows: [string, string, string][]): string {
  const cells = rows.map(
    ([title, buy, sell]) => `<tr><td class="tit">${title}</td><td>${buy}</td><td>${sell}</td></tr>`,
  )
  return `<table class="table cotizacion">
<thead><tr><th class="fechaCot">${dayMonthYear(today, '/', false)}</th><th>Compra</th><th>Venta</th></tr></thead>
<tbody>
${cells.join('\n')}
</tbody></table>
<div class="legal">Hora Actualización: ${clock(now)}</div>`
}

function point(value: number): string {
  return value.toFixed(4)
}

export const dolarhoy = htmlUpstream('dolarhoy.com', '/', ({ today, blue, mep }) => {
  const date = dayMonthYear(today).replace(/\/\d\d(\d\d)$/, '/$1')

  return `<html><body>
${tile('cotizaciondolarblue', 'Dólar Blue', blue.buy, blue.sell)}
${tile('cotizaciondolarbolsa', 'Dólar MEP', Math.round(mep), Math.round(mep))}
<div class="update">Actualizado por última vez: ${date} 12:05 PM</div>
</body></html>`
})

function tile(path: string, title: string, buy: number, sell: number): string {
  return `<div class="tile"><div class="title"><a href="/${path}">${title}</a></div><div class="values"><div class="compra"><div class="topic">Compra</div><div class="val">$${buy}</div></div><div class="venta"><div class="topic">Venta</div><div class="val">$${sell}</div></div></div></div>`
}

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

export const rava = htmlUpstream('www.rava.com', '/perfil/RIESGO%20PAIS', ({ today, riesgo }) => {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const date = `${day} de ${MONTHS[month - 1]} de ${year}`

  return `<html><head><meta name="description" content="Riesgo País hoy: ${riesgo} (actualizado al ${date})"><script type="application/ld+json">{"@type":"Product","price":${riesgo}}</script></head><body><div id="izqCotiza"><p>${riesgo},00</p></div></body></html>`
})
