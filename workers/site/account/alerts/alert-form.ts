import { CHANNELS, CONDITIONS, SIDES } from '../../../../shared/alerts/alert.ts'
import type { Alert } from '../../../../shared/alerts/alert.ts'
import { type WantedWatch, wantedOf } from '../../../../shared/alerts/watch.ts'
import { pairKey } from '../../../../shared/market/catalog.ts'
import type { Fields } from '../forms.ts'
import { pairCodes } from '../subscriptions/area.ts'

/** The fields of an alert as the form has them. */
export interface AlertValues {
  par: string
  lado: string
  condicion: string
  umbral: string
  /** `USD/OFICIAL`, of a gap. */
  contra: string
  contra_lado: string
  repetir: boolean
  histeresis: string
  canal: string
  url: string
}

export const EMPTY: AlertValues = {
  par: 'USD/BLUE',
  lado: 'sell',
  condicion: 'above',
  umbral: '',
  contra: 'USD/OFICIAL',
  contra_lado: 'sell',
  repetir: false,
  histeresis: '0',
  canal: 'email',
  url: '',
}

/** The fields as typed, to show them again and to parse them. */
export function typedAlert(fields: Fields): AlertValues {
  const text = (name: keyof AlertValues) => (fields[name] ?? '').trim()
  return {
    par: text('par'),
    lado: text('lado'),
    condicion: text('condicion'),
    umbral: text('umbral'),
    contra: text('contra'),
    contra_lado: text('contra_lado'),
    repetir: fields['repetir'] !== undefined,
    histeresis: text('histeresis'),
    canal: text('canal'),
    url: text('url'),
  }
}

/** The watch of the form. A value that is none of our choices counts as the first choice. */
export function wantedWatch(typed: AlertValues): WantedWatch {
  const condition = oneOf(CONDITIONS, typed.condicion)
  return {
    ...pairCodes(typed.par),
    side: oneOf(SIDES, typed.lado),
    condition,
    threshold: numberOf(typed.umbral),
    hysteresis: typed.histeresis === '' ? 0 : numberOf(typed.histeresis),
    against:
      condition === 'gap'
        ? { ...pairCodes(typed.contra), side: oneOf(SIDES, typed.contra_lado) }
        : null,
    repeat: typed.repetir,
  }
}

/** How the alert notifies. By e-mail the form's URL is ignored. */
export function wantedTarget({ canal, url }: AlertValues) {
  const channel = oneOf(CHANNELS, canal)
  return channel === 'email' ? { channel } : { channel, url }
}

/** The form of an existing alert. */
export function valuesOf(alert: Alert, url: string): AlertValues {
  const { side, condition, threshold, hysteresis, against, repeat } = wantedOf(alert)
  return {
    par: pairKey(alert.pair),
    lado: side,
    condicion: condition,
    umbral: String(threshold),
    contra: against ? `${against.currency}/${against.origin}` : EMPTY.contra,
    contra_lado: against?.side ?? EMPTY.contra_lado,
    repetir: repeat,
    histeresis: String(hysteresis),
    canal: alert.channel,
    url,
  }
}

/** A number field sends a point; other browsers may send a comma. */
function numberOf(text: string): number {
  return /^\d{1,12}([.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
}

function oneOf<Choice extends string>(choices: readonly Choice[], text: string): Choice {
  return choices.find((choice) => choice === text) ?? choices[0]!
}
