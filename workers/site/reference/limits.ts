import { setting } from '../../../shared/config/config.ts'
import type { Deployment } from '../../../shared/api/operation.ts'
import { KEY_QUOTA, MANAGEMENT_QUOTA } from '../../../shared/limits.ts'
import type { SiteEnv } from '../context.ts'
import { numberText } from '../../../shared/market/spanish-text.ts'

export function deploymentOf({
  env,
  var: { origin },
}: {
  env: SiteEnv
  var: { origin: string }
}): Deployment {
  return {
    origin,
    dateReads: setting(env, 'DATE_READ_LIMIT'),
    unknownKeys: setting(env, 'UNKNOWN_KEY_LIMIT'),
    dailyBudget: setting(env, 'DAILY_PRIVATE_BUDGET'),
    waits: setting(env, 'DELIVERY_WAITS'),
    compatibility: setting(env, 'COMPATIBILITY') === 'on',
  }
}

export const ERRORS = `Todo error JSON es un objeto con un solo campo, \`error\`, en castellano. Una ruta \`/api/*\` desconocida es 404; un método que la ruta no admite, 405 con \`Allow\`; lo imprevisto, 500 \`Error interno\`.`

export const keyLimits = ({ dailyBudget }: Deployment) =>
  `Las rutas con clave admiten ${KEY_QUOTA} pedidos por minuto y clave (ventana fija del minuto UTC); las de webhooks, las de alertas y la verificación de clave, además, ${MANAGEMENT_QUOTA} por minuto y clave entre todas. El conjunto de integraciones comparte ${numberText(dailyBudget)} pedidos privados por día UTC; agotados, 503 con \`Retry-After\` hasta el día siguiente. \`RateLimit-Limit\`, \`RateLimit-Remaining\` y \`RateLimit-Reset\` cuentan el límite más ajustado. Un pedido rechazado no consume cuota.`

export const publicLimits = ({ dateReads }: Deployment) =>
  `Las consultas por fecha admiten ${numberText(dateReads)} pedidos cada 10 segundos por IP; pasado eso, 429 durante 10 segundos con \`Retry-After\`. Las lecturas actuales se pueden guardar 60 segundos; los datos se renuevan cada 5 minutos.`
