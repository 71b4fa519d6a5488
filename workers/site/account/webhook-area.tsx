import {
  type NewWebhook,
  type StoredWebhook,
  webhooks,
} from '../../../shared/subscriptions/webhooks.ts'
import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { WEBHOOK_LIMIT, type Webhook, type WebhookState } from '../../../shared/webhooks/webhook.ts'
import { webhookNotFound } from '../errors.ts'
import { type Area, type FieldsProps, pairCodes, type StateWords } from './subscriptions/area.ts'
import { UrlFields } from './subscriptions/url-fields.tsx'

/** A webhook's fields as the form has them. */
interface WebhookValues {
  /** `USD/BLUE`. */
  par: string
  url: string
}

/** `/cuenta/webhooks`. */
export const webhookArea: Area<StoredWebhook, WebhookValues, NewWebhook> = {
  kind: webhooks,
  path: '/cuenta/webhooks',
  notFound: webhookNotFound,
  words: {
    slug: 'webhook',
    end: 'o',
    plural: 'Webhooks',
    the: 'el webhook',
    of: 'del webhook',
    back: 'Volver a los webhooks',
    intro: 'Un aviso firmado en tu servidor cada vez que cambia una cotización.',
    create: 'Crear un webhook',
    submit: 'Crear webhook',
    created: 'Webhook creado',
    changed: 'El webhook cambió mientras tanto y no hicimos nada',
    full: (count) =>
      `Tenés ${count} webhooks, contando los que están en pausa. Para crear otro, borrá hasta que queden menos de ${WEBHOOK_LIMIT}`,
    closed:
      'Los webhooks están en preparación: por ahora no mandamos avisos, y no se pueden crear, activar ni probar. Los que tengas se pueden ver, pausar, editar y borrar.',
    editHint: (isEnabled) =>
      `Al cambiar algo se cancelan los envíos que esperan${isEnabled ? ' y mandamos el valor actual' : ''}. El secreto sigue siendo el mismo.`,
    rotateHint: 'Lo que esté por salir va firmado con el nuevo.',
    deleted: 'Se borran para siempre su configuración, su secreto y sus entregas.',
  },
  empty: { par: 'USD/BLUE', url: '' },
  Fields: WebhookFields,
  extraField: (
    <label class="check">
      <input type="checkbox" name="pausado" value="si" /> Crearlo en pausa
    </label>
  ),
  typed({ par = '', url = '' }) {
    const values = { par, url: url.trim() }
    return { values, wanted: { url: values.url, ...pairCodes(par) }, hasCredential: true }
  },
  valuesOf: ({ pair }, url) => ({ par: pairKey(pair), url }),
  name: ({ pair }) => (
    <>
      {pair.name} <code>{pairKey(pair)}</code>
    </>
  ),
  heading: titleOf,
  title: titleOf,
  target: ({ destination }) => destination,
  longTarget: ({ pair, destination }) => (
    <>
      <code>{pairKey(pair)}</code> hacia {destination}
    </>
  ),
  state: webhookState,
  canActivate: ({ enabled }) => !enabled,
  isDelivered: () => true,
  more: (webhook) => (
    <>
      <p class="state-note">{webhookState(webhook).text}</p>
      <p class="muted">
        {webhook.receiverAuthorizationConfigured ? 'Con' : 'Sin'} credencial para el receptor.
      </p>
    </>
  ),
  createdNotice: () => 'webhook-ya-creado',
  savedNotice: () => 'webhook-guardado',
}

function titleOf({ pair }: StoredWebhook): string {
  return `Webhook de ${pair.name}`
}

const WORDS = {
  active: {
    label: 'Activo',
    text: 'Le avisamos cada vez que cambia el valor.',
    tone: 'good',
  },
  manual: {
    label: 'En pausa',
    text: 'Lo pausaste o lo creaste en pausa. Activalo cuando quieras: mandamos el valor actual y después cada cambio.',
    tone: 'plain',
  },
  failure: {
    label: 'En pausa por fallas',
    text: 'Diez intentos automáticos seguidos fallaron. Mirá el error en las entregas, corregí el receptor, mandá una prueba y activalo. Después podés reenviar lo que no llegó.',
    tone: 'bad',
  },
  capacity: {
    label: 'Esperando lugar',
    text: 'Está encendido, pero por ahora no hay lugar para más envíos. No tenés que hacer nada: cuando haya, mandamos el valor actual y sigue solo. Algún cambio intermedio puede faltar.',
    tone: 'bad',
  },
  inherited: {
    label: 'Heredado de v1, en pausa',
    text: 'Vino de la versión anterior. Rotá el secreto para tener uno con que verificar las firmas, mandá una prueba y activalo.',
    tone: 'plain',
  },
} as const satisfies Record<WebhookState, StateWords>

const SYNC_OWED =
  'Todavía falta que el receptor confirme el valor actual. Si el envío se agotó, se pone al día con la próxima entrega.'

/** A webhook's state in Spanish. The texts of other states than active already mention the sync. */
function webhookState({ state, needsSync }: Webhook): StateWords {
  const words = WORDS[state]
  return state === 'active' && needsSync ? { ...words, text: `${words.text} ${SYNC_OWED}` } : words
}

/** Pair, URL and the receiver's credential. */
function WebhookFields({ values, hasAuthorization, describedby }: FieldsProps<WebhookValues>) {
  return (
    <>
      <label for="par">Par que sigue</label>
      <select id="par" name="par" required aria-describedby={describedby}>
        {PAIRS.map((pair) => (
          <option value={pairKey(pair)} selected={pairKey(pair) === values.par}>
            {`${pair.name} (${pairKey(pair)})`}
          </option>
        ))}
      </select>
      <UrlFields
        label="URL que recibe los avisos"
        value={values.url}
        required
        hint="Pública, con HTTPS y puerto 443. Hacemos un POST firmado y esperamos un 2xx en 10 segundos."
        describedby={describedby}
        hasAuthorization={hasAuthorization}
        credentialHint={`Va tal cual en el encabezado Authorization de cada envío. ${
          hasAuthorization
            ? 'Hay una guardada: si dejás esto vacío, queda como está.'
            : 'Se guarda cifrada y no la volvemos a mostrar.'
        }`}
      />
    </>
  )
}
