import {
  type AlertEvent,
  conditionWords,
  signedPercentWords,
  valueWords,
  watchedWords,
} from '../../../shared/alerts/alert-words.ts'
import { field, linkOf, valueFields } from './embed-parts.ts'

const TITLES = {
  'alert.triggered': 'Alerta',
  'alert.test': 'Prueba de alerta',
} as const satisfies Record<AlertEvent['event'], string>

const COLORS = {
  'alert.triggered': 0xd97706,
  'alert.test': 0x6b7280,
} as const satisfies Record<AlertEvent['event'], number>

/** The embed of an alert: what it watches, the condition, and the values that met it. */
export function alertEmbed(event: AlertEvent, publicOrigin: string | null) {
  const { percent, against, base } = event

  return {
    title: `${TITLES[event.event]}: ${watchedWords(event)}`,
    description: `Avisa cuando ${conditionWords(event)}.`,
    ...linkOf(event, publicOrigin),
    color: COLORS[event.event],
    fields: [
      ...valueFields(event),
      ...(against && base !== null
        ? [field(watchedWords(against), valueWords(against, base))]
        : []),
      ...(percent === null
        ? []
        : [field(against ? 'Diferencia' : 'En el día', signedPercentWords(percent))]),
    ],
    timestamp: event.updatedAt,
    footer: { text: `${event.currency} ${event.origin}` },
  }
}
