/** The limits that users meet, as both documents and the pages tell them. */
export const ERRORS = `Todo error JSON es un objeto con un solo campo, \`error\`, en castellano. Una ruta \`/api/*\` desconocida es 404; un método que la ruta no admite, 405 con \`Allow\`; lo imprevisto, 500 \`Error interno\`.`

export const KEY_LIMITS = `Las rutas con clave admiten 60 pedidos por minuto y clave (ventana fija del minuto UTC); las de webhooks y la verificación de clave, además, 30 por minuto y clave entre todas. El conjunto de integraciones comparte 20.000 pedidos privados por día UTC; agotados, 503 con \`Retry-After\` hasta el día siguiente. \`RateLimit-Limit\`, \`RateLimit-Remaining\` y \`RateLimit-Reset\` cuentan el límite más ajustado. Un pedido rechazado no consume cuota.`

export const PUBLIC_LIMITS = `Las consultas por fecha admiten 20 pedidos cada 10 segundos por IP; pasado eso, 429 durante 10 segundos con \`Retry-After\`. Las lecturas actuales se pueden guardar 60 segundos; los datos se renuevan cada 5 minutos.`
