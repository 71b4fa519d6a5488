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
  'alert.withdrawn': 'Alerta retirada',
} as const satisfies Record<AlertEvent['event'], string>

const COLORS = {
  'alert.triggered': 0xd97706,
  'alert.test': 0x6b7280,
  'alert.withdrawn': 0x6b7280,
} as const satisfies Record<AlertEvent['event'], number>

/** The embed of an alert: what it watches, the condition, and the values that met it. */
export function alertEmbed(event: AlertEvent, publicOrigin: string | null) {
  const { value, percent, against, base } = event
  const isWithdrawn = event.event === 'alert.withdrawn'
  const isBase = event.corrected?.isBase === true

  return {
    title: `${TITLES[event.event]}: ${watchedWords(event)}`,
    description: isWithdrawn
      ? `${isBase ? 'El cierre desde el que se midió' : 'El valor que la disparó'} era erróneo y se corrigió.`
      : `Avisa cuando ${conditionWords(event)}.`,
    ...linkOf(event, publicOrigin),
    color: COLORS[event.event],
    fields: [
      ...(isWithdrawn
        ? [field(isBase ? 'Valor' : 'Valor erróneo', valueWords(event, value))]
        : valueFields(event)),
      ...correctedFields(event),
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

function correctedFields({ corrected, side, against }: AlertEvent) {
  if (!corrected) return []
  const isOther = against?.origin === corrected.origin && against.currency === corrected.currency
  const right = corrected[isOther ? against.side : side]
  return right === null
    ? []
    : [field(`${corrected.isBase ? 'Cierre' : 'Valor'} corregido`, valueWords(corrected, right))]
}
