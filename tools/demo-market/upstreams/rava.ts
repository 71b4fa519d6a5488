import { htmlUpstream } from '../upstream.ts'
import { MONTHS } from '../writing.ts'

export const rava = htmlUpstream('www.rava.com', '/perfil/RIESGO%20PAIS', ({ today, riesgo }) => {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const date = `${day} de ${MONTHS[month - 1]} de ${year}`

  return `<html><head><meta name="description" content="Riesgo País hoy: ${riesgo} (actualizado al ${date})"><script type="application/ld+json">{"@type":"Product","price":${riesgo}}</script></head><body><div id="izqCotiza"><p>${riesgo},00</p></div></body></html>`
})
