import { type DocPage, heading, list } from '../page.ts'

export const changesGuide: DocPage = {
  path: '/docs/cambios',
  title: 'Cambios de la API',
  summary: 'Qué cambió en cada versión de los documentos.',
  blocks: [
    'Los documentos de lecturas, de webhooks y de agregados tienen cada uno su versión. Un cambio que obligue a tocar programas tendría rutas nuevas: lo que hoy funciona sigue funcionando. La generación 1 es estable y no recibe novedades.',
    heading('Agregados 1.0.0'),
    list(
      'Tipo de cambio para facturar en moneda extranjera: `GET /api/v2/invoicing`.',
      'Series de varios pares y muchos días en un pedido: `GET /api/v2/series`.',
      'Conversiones exactas, con la cuenta a la vista: `GET /api/v2/convert`.',
      'Alertas por webhook o por correo cuando un valor cruza un umbral: `/api/v2/alerts`.',
    ),
    heading('Lecturas 2.1.0'),
    list(
      'Consultas por fecha: el valor vigente en cualquier instante pasado, con `time` y `max_age`.',
      'CSV en las consultas por fecha y en el historial, con `format=csv` o `Accept: text/csv`.',
      'Velas diarias en `GET /api/v2/history/{currency}/{origin}`.',
      '`lastScrapedAt` y `valueType` también en las listas.',
      '`ETag` y 304 en las lecturas públicas que se pueden guardar.',
    ),
    heading('Webhooks 2.4.0'),
    list(
      'Concurrencia optimista: toda modificación exige `version`.',
      '`operationId`: repetir una creación no la duplica.',
      'Credencial para el receptor con `receiverAuthorization`.',
      'Sincronización al activar, al editar y al recuperar capacidad.',
      'La función está en preparación: mientras tanto, crear, activar y probar responden 503.',
    ),
    heading('Lecturas 1'),
    list('Las rutas `/api/{currency}`, con nombres en castellano. Siguen igual.'),
  ],
}
