import * as z from 'zod/mini'
import type { Deployment } from '../../../../shared/api/operation.ts'
import { attemptLimits, webhookHeaders } from '../events.ts'
import { code, type DocPage, heading, list, table } from '../page.ts'
import * as samples from './verify-samples.ts'

const WITH_A_LIBRARY = [
  'Los envíos van firmados como indica [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: los verifican sus bibliotecas, que hay en una docena de lenguajes. `WEBHOOK_SECRET` es `whsec_` y el base64 del texto del secreto (la página de la cuenta lo muestra así), y `rawBody` el cuerpo tal como llegó.',
  code('ts', samples.standardTypescript),
  code('python', samples.standardPython),
  '`verify` da el aviso, o tira una excepción. Después descartá los `webhook-id` que ya atendiste: un envío puede llegar más de una vez.',
]

const WITHOUT_ONE = [
  'Sin biblioteca, con `webhook-id`, `webhook-timestamp` y `webhook-signature`:',
  heading('TypeScript'),
  code('ts', samples.typescript),
  heading('Python'),
  code('python', samples.python),
  heading('PHP'),
  code('php', samples.php),
  heading('Go'),
  code('go', samples.go),
]

export const webhooksGuide = (deployment: Deployment): DocPage => ({
  path: '/docs/webhooks',
  title: 'Verificar un webhook',
  summary: 'Cada envío va firmado: así se comprueba que es nuestro y que nadie lo tocó.',
  blocks: [
    ...WITH_A_LIBRARY,
    heading('Qué llega'),
    'Un `POST` con `Content-Type: application/json` a tu URL cada vez que el par cambia. Los encabezados:',
    table(
      ['Encabezado', 'Contenido'],
      ...Object.entries(webhookHeaders()).map(([name, field]) => [
        `\`${name}\``,
        String(z.globalRegistry.get(field)?.description),
      ]),
      ['`Authorization`', 'Solo si configuraste una credencial para tu receptor.'],
    ),
    'Para generar los tipos de tu receptor: `webhooks` en los [documentos OpenAPI](/docs/referencia).',
    heading('Cómo se firma'),
    'Verificá `webhook-signature`: cubre también el identificador, por el que descartás repetidos. `X-Service-Signature` es del contrato original y no lo cubre: quien repita un envío dentro de tus cinco minutos puede ponerle otro. Las dos tienen la misma clave, el secreto: 64 caracteres hexadecimales **usados como texto**, que no se decodifican.',
    list(
      'Guardá los bytes del cuerpo tal como llegaron: se firman esos, no un JSON leído y vuelto a escribir.',
      'Compará en tiempo constante.',
      'Rechazá un `timestamp` a más de cinco minutos de tu reloj.',
      'Recordá los identificadores que ya atendiste: un envío puede llegar más de una vez.',
      'Respondé un 2xx antes de 10 segundos y hacé el trabajo después.',
      'Al rotar el secreto, aceptá el anterior durante un minuto: puede haber un envío en camino.',
    ),
    `Hay hasta ${attemptLimits(deployment)}, cada una con una variación al azar. Cada intento tiene \`webhook-timestamp\` y firma nuevos; el identificador y el cuerpo no cambian, y el \`timestamp\` de adentro del cuerpo dice cuándo ocurrió el cambio. Un intento son 10 segundos para resolver el nombre, conectar, negociar TLS y recibir el encabezado de la respuesta: decide el código, el cuerpo no se lee y las redirecciones no se siguen. Si respondés \`Retry-After\`, se espera eso, hasta el doble de la espera que seguía.`,
    ...WITHOUT_ONE,
    heading('Para probar tu código'),
    `Con el secreto \`0123456789abcdef\` repetido cuatro veces, el identificador \`${samples.KNOWN_ID}\` y el \`timestamp\` \`1700000000\`:`,
    table(
      ['Cuerpo', 'Firma'],
      ...samples.knownAnswers.map(([body, signature]) => [`\`${body}\``, `\`${signature}\``]),
    ),
    'Después, `POST /api/v2/webhooks/{id}/test` envía una prueba firmada, y `GET /api/v2/webhooks/deliveries` cuenta cómo le fue. Si tu receptor estuvo caído, `POST /api/v2/webhooks/{id}/redeliver` con `{"since": …}` le manda otra vez, en orden, las entregas que fallaron o se cancelaron. Durante una pausa no se generan entregas: esos cambios se leen con `GET /api/v2/{currency}/{origin}/history?from=…`.',
  ],
})
