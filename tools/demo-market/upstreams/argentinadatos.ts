import { addDays } from '../../../shared/argentine-time.ts'
import { jsonUpstream } from '../upstream.ts'
import { cut, daysFrom } from '../writing.ts'

export const argentinadatos = jsonUpstream('api.argentinadatos.com', ({ pathname }, market) => {
  const { today, riesgo, uva } = market
  switch (pathname) {
    case '/v1/finanzas/indices/riesgo-pais/ultimo':
      return { valor: riesgo, fecha: today }
    case '/v1/finanzas/indices/uva':
      return daysFrom(addDays(today, -90), addDays(today, 7)).map((fecha) => ({
        fecha,
        valor: cut(uva(fecha)),
      }))
    default:
      return null
  }
})
