import type { Alert, Phase } from '../../../../shared/alerts/alert.ts'
import { conditionWords, watchedWords } from '../../../../shared/alerts/alert-words.ts'
import { wantedOf } from '../../../../shared/alerts/watch.ts'
import type { StateWords } from '../subscriptions/area.ts'

const PHASES = {
  armed: {
    label: 'Activa',
    text: 'Te avisamos cuando pase.',
    tone: 'good',
  },
  waiting: {
    label: 'Esperando',
    text: 'La condición ya se cumplía: primero tiene que dejar de cumplirse, y te avisamos la próxima vez.',
    tone: 'plain',
  },
  done: {
    label: 'Ya avisó',
    text: 'Era para una sola vez. Activala si querés que vuelva a avisar.',
    tone: 'plain',
  },
} as const satisfies Record<Phase, StateWords>

const PAUSED: StateWords = {
  label: 'En pausa',
  text: 'No avisa de nada hasta que la actives.',
  tone: 'plain',
}

const FAILED: StateWords = {
  label: 'En pausa por fallas',
  text: 'Diez intentos seguidos fallaron. Mirá el error en las entregas, corregí el receptor, mandá una prueba y activala.',
  tone: 'bad',
}

/** The state of an alert in Spanish. */
export function alertState({ enabled, state, phase }: Alert): StateWords {
  if (enabled) return PHASES[phase]
  return state === 'failure' ? FAILED : PAUSED
}

/** `Dólar Blue (venta) llega a $ 1.500,00 o más`. */
export function alertTitle(alert: Alert): string {
  const watch = wantedOf(alert)
  return `${watchedWords(watch)} ${conditionWords(watch)}`
}
