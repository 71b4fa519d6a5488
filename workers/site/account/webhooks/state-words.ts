import type { Webhook, WebhookState } from '../../../../shared/webhooks/webhook.ts'

export interface StateWords {
  label: string
  /** Why it is so, and what its owner can do. */
  text: string
  tone: 'good' | 'plain' | 'bad'
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
    text: 'Diez intentos automáticos seguidos fallaron. Mirá el error en las entregas, corregí el receptor, mandá una prueba y activalo.',
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

/** A webhook's state in plain words. */
export function stateWords({ state }: Pick<Webhook, 'state'>): StateWords {
  return WORDS[state]
}

/**
 * What an active webhook still gets; null for nothing, and in other states, which say it
 * themselves.
 */
export function owedWords({ state, needsSync }: Webhook): string | null {
  if (state !== 'active' || !needsSync) return null
  return 'Todavía falta que el receptor confirme el valor actual. Si el envío se agotó, se pone al día con la próxima entrega.'
}
