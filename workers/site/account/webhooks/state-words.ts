import type { StateWords } from '../receivers/area.ts'
import type { Webhook, WebhookState } from '../../../../shared/webhooks/webhook.ts'

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

/** A webhook's state in plain words. Other states than active say themselves what is owed. */
export function webhookState({ state, needsSync }: Webhook): StateWords {
  const words = WORDS[state]
  return state === 'active' && needsSync ? { ...words, text: `${words.text} ${SYNC_OWED}` } : words
}
