import { pairKey } from '../../../../shared/market/catalog.ts'
import { BNA, CASAS } from '../../../../shared/market/other-services.ts'
import { DAYS_A_MINUTE } from '../../../../shared/limits.ts'
import type { Deployment } from '../../../../shared/api/operation.ts'
import { code, type DocPage, heading, list, table } from '../page.ts'

/** For apps that use DolarApi, ArgentinaDatos or Bluelytics: what to change, and what differs. */
export function movingGuide({ origin, compatibility }: Deployment): DocPage {
  return {
    path: '/mudarse',
    title: 'Mudarse desde DolarApi, ArgentinaDatos o Bluelytics',
    summary: 'Una aplicación que ya usa otra API cambia la dirección base y sigue igual.',
    blocks: [
      compatibility
        ? 'Estas direcciones responden acá con las mismas claves, el mismo orden y los mismos bytes donde el valor es el mismo. No hace falta clave ni cuenta.'
        : '**En este servicio estas direcciones están apagadas** (`COMPATIBILITY=off`). Encendidas, responden con las mismas claves, el mismo orden y los mismos bytes donde el valor es el mismo.',
      code(
        'text',
        `https://dolarapi.com/v1/dolares/blue\n${origin}/v1/dolares/blue\n\nhttps://api.argentinadatos.com/v1/cotizaciones/dolares/blue\n${origin}/v1/cotizaciones/dolares/blue\n\nhttps://api.bluelytics.com.ar/v2/latest\n${origin}/v2/latest`,
      ),
      heading('Qué direcciones hay'),
      ADDRESSES,
      heading('Qué par es cada casa'),
      PAIR_OF_CASA,
      heading('Qué cambia'),
      DIFFERENCES,
      heading('Y después'),
      'Las direcciones propias tienen más: fecha y hora, todos los pares en una lista, historial, [webhooks](/docs/webhooks), [planillas](/docs/planillas) y [datos abiertos](/datos). Están en la [referencia](/docs/referencia).',
    ],
  }
}

const ADDRESSES = table(
  ['De', 'Dirección', 'Responde'],
  ['DolarApi', '`/v1/dolares`, `/v1/dolares/{casa}`', 'los dólares de ahora'],
  ['DolarApi', '`/v1/ambito/dolares`, `…/{casa}`', 'lo mismo con `variacion`, y `bna`'],
  ['DolarApi', '`/v1/cotizaciones`, `…/{moneda}`', 'USD, EUR, BRL, CLP y UYU oficiales'],
  ['DolarApi', '`/v1/estado`', '`Disponible`; `No disponible` sin ninguna cotización'],
  ['ArgentinaDatos', '`/v1/cotizaciones/dolares`, `…/{casa}`', 'todos los días, con el de hoy'],
  ['ArgentinaDatos', '`…/dolares/{casa}/{aaaa}/{mm}/{dd}`, `…/dolares/{aaaa}/{mm}/{dd}`', 'un día'],
  [
    'ArgentinaDatos',
    '`/v1/cotizaciones/{moneda}/{aaaa}/{mm}/{dd}`',
    'una moneda oficial en un día',
  ],
  [
    'ArgentinaDatos',
    '`/v1/finanzas/indices/riesgo-pais`, `…/ultimo`, `/v1/finanzas/indices/uva`',
    'los índices por día',
  ],
  ['Bluelytics', '`/v2/latest`', 'oficial y blue, en dólar y euro'],
  ['Bluelytics', '`/v2/historical?day=AAAA-MM-DD`', 'lo mismo en un día'],
  [
    'Bluelytics',
    '`/v2/evolution.json`, `/v2/evolution.csv`, `?days=N`',
    'todos los días, el último primero',
  ],
)

const PAIR_OF_CASA = table(
  ['Casa', 'Par de acá'],
  ...[...CASAS, BNA].map(({ casa, pair }) => {
    const key = pairKey(pair)
    return [`\`${casa}\``, `[\`${key}\`](/${key.toLowerCase()})`]
  }),
)

const DIFFERENCES = list(
  '**Los valores son los nuestros**, con nuestras fuentes y controles, cada 5 minutos: donde el otro servicio atrasa, acá está el vigente.',
  '**`oficial` no es el mismo dólar.** El de DolarApi es hoy el del Banco Nación, y el de Bluelytics un promedio suyo; acá es el promedio de los bancos, [`USD/OFICIAL`](/usd/oficial). El del Banco Nación está en `/v1/ambito/dolares/bna`, y en cualquier fecha en `/api/v2/date/{fecha}/usd/bna`.',
  '`fechaActualizacion` y `last_update` dicen cuándo tomó el valor vigente este servicio, en la misma forma.',
  '`variacion` es desde la última venta antes de la medianoche argentina; 0 si no la hay.',
  'La historia tiene todos los días desde el primero que conoce este servicio, fines de semana y feriados con el último valor. `/v2/historical` responde también en feriados. Bluelytics da un día hábil por fila; acá hay una por día. Qué días cambió el valor lo dice la columna `changed` de [`/datos/cotizaciones.csv`](/datos).',
  `Un programa puede recorrer meses día por día: hasta ${DAYS_A_MINUTE} días por minuto e IP entre todas estas direcciones; pasado eso, 429 con \`Retry-After\`. Lo demás no tiene límite propio.`,
  'Los primeros minutos después de medianoche la historia termina en el último archivo de la noche anterior; nunca le falta un día en el medio.',
  'Lo que no hay es 404 como allá: sin cuerpo en DolarApi, `{"error":"Not found"}` en ArgentinaDatos, `{"error":"Error: …"}` en Bluelytics. Parámetros desconocidos se ignoran, también como allá.',
  'No están: otros países, `solidario` y `turista`, inflación, tasas, feriados, billeteras ni el `callback` de JSONP. `/v1/cotizaciones` y `/v1/cotizaciones/{moneda}`, sin día, son los de DolarApi (el valor de ahora).',
)
