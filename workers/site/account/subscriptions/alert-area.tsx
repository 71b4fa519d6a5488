import * as z from 'zod'
import { CHANNELS, CONDITIONS, type Phase, SIDES } from '../../../../shared/alerts/alert.ts'
import { conditionText, alertValueText, sideText } from '../../../../shared/alerts/event.ts'
import { wantedOf } from '../../../../shared/alerts/rule.ts'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { alerts, type NewAlert, type StoredAlert } from '../../../../shared/subscriptions/alerts.ts'
import { Field } from '../parts.tsx'
import {
  areaOf,
  credentialOf,
  type SubscriptionFormProps,
  pairField,
  receiverFields,
  type StateWords,
  optionsOf,
  ReceiverFields,
  Select,
} from './area.tsx'
import { amountText, momentText, parseAmount } from '../../../../shared/market/spanish-text.ts'

/** A number as Argentines type it: `1.604,50` or `1604.5`. Any other text is refused later. */
const numberField = z
  .string()
  .catch('')
  .transform((text) => {
    const amount = parseAmount(text)
    return amount === null ? Number.NaN : Number(amount) / 1_000_000
  })
const typedAs = (value: number) => amountText(BigInt(Math.round(value * 1_000_000)))

/** The fields of a submitted form. An unknown choice counts as the first choice of its select. */
const form = z
  .object({
    par: pairField,
    lado: z.enum(SIDES).catch('sell'),
    condicion: z.enum(CONDITIONS).catch('above'),
    umbral: numberField,
    contra: pairField,
    contra_lado: z.enum(SIDES).catch('sell'),
    repetir: z.string().optional(),
    histeresis: z
      .literal('')
      .transform(() => 0)
      .or(numberField),
    canal: z.enum(CHANNELS).catch('email'),
    ...receiverFields,
  })
  .transform(({ par, contra, canal, url, condicion, ...typed }) => ({
    ...par,
    side: typed.lado,
    condition: condicion,
    threshold: typed.umbral,
    hysteresis: typed.histeresis,
    against: condicion === 'gap' ? { ...contra, side: typed.contra_lado } : null,
    repeat: typed.repetir !== undefined,
    channel: canal,
    // For an alert by e-mail, the receiver's fields are hidden, so they are ignored.
    ...(canal === 'webhook' && { url }),
    receiverAuthorization: canal === 'webhook' ? credentialOf(typed) : undefined,
  }))

/** The initial form. All other fields begin with their first choice. */
const EMPTY = { par: 'USD/BLUE', contra: 'USD/OFICIAL', histeresis: '0' }

/** `/cuenta/alertas`. */
export const alertArea = areaOf<StoredAlert, NewAlert>({
  kind: alerts,
  path: '/cuenta/alertas',
  slug: 'alerta',
  end: 'a',
  intro: 'Un aviso cuando una cotización cruza el valor que elegís.',
  editHelp: 'Si cambia lo que mira, empieza de nuevo.',
  empty: EMPTY,
  Fields: AlertFields,
  form,
  creation: (typed, common) => ({ ...typed, ...common }),
  valuesOf(alert, url) {
    const { side, condition, threshold, hysteresis, against, repeat } = wantedOf(alert)
    return {
      par: pairKey(alert.pair),
      lado: side,
      condicion: condition,
      umbral: typedAs(threshold),
      contra: against ? `${against.currency}/${against.origin}` : EMPTY.contra,
      contra_lado: against?.side ?? 'sell',
      ...(repeat && { repetir: 'si' }),
      histeresis: typedAs(hysteresis),
      canal: alert.channel,
      url,
    }
  },
  show(alert) {
    const { channel, destination, enabled, state, phase, now, mailDroppedAt } = alert
    const rule = wantedOf(alert)
    const named = sideText(rule)
    const isDelivered = channel === 'webhook'
    return {
      // `Dólar Blue (venta) llega a $ 1.500,00 o más`.
      name: `${named} ${conditionText(rule)}`,
      target: isDelivered ? `Por webhook, hacia ${destination}` : 'Por correo',
      state: STATES[enabled ? phase : state === 'failure' ? 'failure' : 'paused'],
      more: [
        now
          ? `Ahora ${named} está en ${alertValueText(rule, priceToNumber(now.value))}.`
          : 'Todavía no tenemos esa cotización.',
        mailDroppedAt !== null &&
          `El ${momentText(mailDroppedAt)} descartamos avisos que en 24 horas ningún correo pudo llevar.`,
      ]
        .filter(Boolean)
        .join(' '),
      canActivate: !enabled || phase === 'done',
      isDelivered,
    }
  },
})

const STATES: Record<Phase | 'paused' | 'failure', StateWords> = {
  armed: { label: 'Activa', text: 'Te avisamos cuando pase.', tone: 'good' },
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
  paused: { label: 'En pausa', text: 'No avisa de nada hasta que la actives.', tone: 'plain' },
  failure: {
    label: 'En pausa por fallas',
    text: 'Diez intentos seguidos fallaron. Mirá el error en las entregas, corregí el receptor, mandá una prueba y activala.',
    tone: 'bad',
  },
}

const CONDITION_WORDS = [
  ['above', 'Llega a un valor o lo supera'],
  ['below', 'Llega a un valor o baja de él'],
  ['change', 'Sube o baja un % en el día'],
  ['gap', 'Se aparta un % de otra cotización'],
] as const

const SIDE_WORDS = [
  ['sell', 'Venta'],
  ['buy', 'Compra'],
] as const

const CHANNEL_WORDS = [
  ['email', 'Por correo, a la dirección de tu cuenta'],
  ['webhook', 'Por webhook, un POST firmado a tu servidor'],
] as const

/** The pairs that a price can be compared with. */
const PRICES = optionsOf(PAIRS.filter(({ singleValue }) => !singleValue))

/** The style sheet hides the fields that the choices do not need. */
function AlertFields(props: SubscriptionFormProps) {
  const { values, mayMail } = props
  const channels = CHANNEL_WORDS.filter(([channel]) => channel !== 'email' || mayMail)
  return (
    <>
      <div class="field-row">
        <div>
          <Select name="par" label="Cotización" options={optionsOf()} values={values} />
        </div>
        <div class="of-sides">
          <Select name="lado" label="Precio" options={SIDE_WORDS} values={values} />
        </div>
      </div>
      <p class="help" id="ahora" aria-live="polite">
        Los valores de ahora están en <a href="/">el tablero</a>.
      </p>
      <Select name="condicion" label="Avisar cuando" options={CONDITION_WORDS} values={values} />
      <Field
        name="umbral"
        label={<ByUnit level="Valor" both=" o " percent="Porcentaje" />}
        inputmode="decimal"
        autocomplete="off"
        required
        value={values['umbral']}
        help={
          <ByUnit
            level="En pesos, o en puntos."
            both=" "
            percent="En por ciento, hacia arriba o hacia abajo."
          />
        }
      />
      <div class="fields of-gap">
        <div class="field-row">
          <div>
            <Select name="contra" label="Comparar con" options={PRICES} values={values} />
          </div>
          <div>
            <Select name="contra_lado" label="Su precio" options={SIDE_WORDS} values={values} />
          </div>
        </div>
        <p class="help">Tiene que ser otra cotización de la misma moneda.</p>
      </div>
      <label class="check">
        <input type="checkbox" name="repetir" value="si" checked={values['repetir'] === 'si'} />{' '}
        Avisar cada vez que pase, no solo la primera
      </label>
      <div class="fields of-repeat">
        <Field
          name="histeresis"
          label="Margen para volver a avisar"
          isOptional
          inputmode="decimal"
          autocomplete="off"
          value={values['histeresis']}
          help="Para avisar otra vez tiene que alejarse del valor más que esto, así un vaivén no avisa a cada rato."
        />
      </div>
      <Select name="canal" label="Cómo te avisamos" options={channels} values={values} />
      <p class="help of-email">
        Por correo, como mucho uno por hora y por alerta, y diez por hora en total.
      </p>
      <div class="fields of-webhook">
        <ReceiverFields {...props} />
      </div>
      <p class="notice">
        Te avisamos la primera vez que se cumpla, o cada vez si lo elegís. Si ya se cumple al
        guardarla, primero tiene que dejar de cumplirse.
      </p>
    </>
  )
}

/** A text for a level and a text for a percent; `both` is for browsers without `:has()`. */
function ByUnit(words: Record<'level' | 'both' | 'percent', string>) {
  return (
    <>
      <span class="of-level">{words.level}</span>
      <span class="of-both">{words.both}</span>
      <span class="of-percent">{words.percent}</span>
    </>
  )
}
