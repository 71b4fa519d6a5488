import { htmlUpstream } from '../upstream.ts'
import { dayMonthYear } from '../writing.ts'

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
