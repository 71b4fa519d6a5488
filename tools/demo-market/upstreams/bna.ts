import type { Market } from '../market.ts'
import { htmlUpstream } from '../upstream.ts'
import { clock, comma, dayMonthYear } from '../writing.ts'

/** Two tables of the same class: banknotes with decimal comma, wholesale with decimal point. */
export const bna = htmlUpstream('www.bna.com.ar', '/Personas', (market) => {
  const { bna, bnaEuro, bnaReal, mayorista, eurUsd } = market

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
${table(market, [
  ['Dolar U.S.A', point(mayorista.buy), point(mayorista.sell)],
  ['Euro', point(mayorista.buy * eurUsd), point(mayorista.sell * eurUsd)],
])}
</div>
</body></html>`
})

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
