import * as z from 'zod'
import { pairKey } from '../../../../shared/market/catalog.ts'
import {
  type NewWebhook,
  type StoredWebhook,
  webhooks,
} from '../../../../shared/subscriptions/webhooks.ts'
import type { WebhookState } from '../../../../shared/webhooks/webhook.ts'
import {
  areaOf,
  credentialOf,
  pairField,
  receiverFields,
  type StateWords,
  optionsOf,
  ReceiverFields,
  Select,
} from './area.tsx'

/** `/cuenta/webhooks`. */
export const webhookArea = areaOf<StoredWebhook, NewWebhook>({
  kind: webhooks,
  path: '/cuenta/webhooks',
  slug: 'webhook',
  end: 'o',
  intro: 'Un aviso firmado en tu servidor cada vez que cambia una cotización.',
  editHelp:
    'Al cambiar algo se cancelan los envíos que esperan y, si está activo, mandamos el valor actual. El secreto sigue siendo el mismo.',
  empty: { par: 'USD/BLUE' },
  Fields: (props) => (
    <>
      <Select name="par" label="Par que sigue" options={optionsOf()} values={props.values} />
      <ReceiverFields {...props} />
      {props.isNew && (
        <label class="check">
          <input type="checkbox" name="pausado" value="si" /> Crearlo en pausa
        </label>
      )}
    </>
  ),
  form: z.object({ par: pairField, ...receiverFields }).transform(({ par, url, ...typed }) => ({
    ...par,
    url,
    receiverAuthorization: credentialOf(typed),
  })),
  creation: (typed, common) => ({ ...typed, ...common }),
  valuesOf: ({ pair }, url) => ({ par: pairKey(pair), url }),
  show({ pair, destination, enabled, state, needsSync, receiverAuthorizationConfigured }) {
    const words = STATES[state]
    return {
      name: `Webhook de ${pair.name}`,
      target: `${pairKey(pair)} hacia ${destination}`,
      // The texts of the states other than `active` already mention the sync.
      state: {
        ...words,
        text: state === 'active' && needsSync ? `${words.text} ${SYNC_OWED}` : words.text,
      },
      more: `${receiverAuthorizationConfigured ? 'Con' : 'Sin'} credencial para el receptor.`,
      canActivate: !enabled,
      isDelivered: true,
    }
  },
})

const STATES: Record<WebhookState, StateWords> = {
  active: { label: 'Activo', text: 'Le avisamos cada vez que cambia el valor.', tone: 'good' },
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
}

const SYNC_OWED =
  'Todavía falta que el receptor confirme el valor actual. Si el envío se agotó, se pone al día con la próxima entrega.'
