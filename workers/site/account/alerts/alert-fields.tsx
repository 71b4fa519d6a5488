import type { Child } from 'hono/jsx'
import { type Pair, PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import type { FieldsProps } from '../subscriptions/area.ts'
import { UrlFields } from '../subscriptions/url-fields.tsx'
import type { AlertValues } from './alert-form.ts'

const CONDITIONS = [
  ['above', 'Llega a un valor o lo supera'],
  ['below', 'Llega a un valor o baja de él'],
  ['change', 'Sube o baja un % en el día'],
  ['gap', 'Se aparta un % de otra cotización'],
] as const

const SIDES = [
  ['sell', 'Venta'],
  ['buy', 'Compra'],
] as const

const CHANNELS = [
  ['email', 'Por correo, a la dirección de tu cuenta'],
  ['webhook', 'Por webhook, un POST firmado a tu servidor'],
] as const

/** What a price can be compared with. */
const PRICES = PAIRS.filter(({ singleValue }) => !singleValue)

/**
 * What the alert watches and how it notifies. All fields are in the page; the style sheet shows
 * those that the choices need, and a script describes the alert. It works without either.
 */
export function AlertFields(props: FieldsProps<AlertValues>) {
  return (
    <>
      <WatchFields {...props} />
      <RepeatFields {...props} />
      <ChannelFields {...props} />
      <p class="notice" id="aviso" aria-live="polite">
        Te avisamos la primera vez que se cumpla, o cada vez si lo elegís. Si ya se cumple al
        guardarla, primero tiene que dejar de cumplirse.
      </p>
    </>
  )
}

function WatchFields({ values, describedby }: FieldsProps<AlertValues>) {
  return (
    <>
      <div class="field-row">
        <PairChoice id="par" label="Cotización" value={values.par} describedby={describedby} />
        <div class="of-sides">
          <Choice id="lado" label="Precio" options={SIDES} value={values.lado} />
        </div>
      </div>
      <Choice id="condicion" label="Avisar cuando" options={CONDITIONS} value={values.condicion} />
      <label for="umbral">
        <span class="of-level">Valor</span>
        <span class="of-both"> o </span>
        <span class="of-percent">Porcentaje</span>
      </label>
      <input
        id="umbral"
        name="umbral"
        type="number"
        min="0"
        step="any"
        inputmode="decimal"
        required
        value={values.umbral}
        aria-describedby="umbral-ayuda"
      />
      <p id="umbral-ayuda" class="hint">
        <span class="of-level">En pesos, o en puntos.</span>
        <span class="of-both"> </span>
        <span class="of-percent">En por ciento, hacia arriba o hacia abajo.</span>
      </p>
      <Group of="gap">
        <div class="field-row">
          <PairChoice id="contra" label="Comparar con" value={values.contra} pairs={PRICES} />
          <Choice id="contra_lado" label="Su precio" options={SIDES} value={values.contra_lado} />
        </div>
        <p class="hint">Tiene que ser otra cotización de la misma moneda.</p>
      </Group>
    </>
  )
}

function RepeatFields({ values }: FieldsProps<AlertValues>) {
  return (
    <>
      <label class="check">
        <input type="checkbox" name="repetir" value="si" checked={values.repetir} /> Avisar cada vez
        que pase, no solo la primera
      </label>
      <Group of="repeat">
        <label for="histeresis">
          Margen para volver a avisar <span class="optional">(opcional)</span>
        </label>
        <input
          id="histeresis"
          name="histeresis"
          inputmode="decimal"
          autocomplete="off"
          value={values.histeresis}
          aria-describedby="histeresis-ayuda"
        />
        <p id="histeresis-ayuda" class="hint">
          Cuánto tiene que alejarse del valor antes de poder avisar otra vez, para que un vaivén no
          avise a cada rato.
        </p>
      </Group>
    </>
  )
}

function ChannelFields({ values, hasAuthorization, mayMail }: FieldsProps<AlertValues>) {
  const channels = CHANNELS.filter(([channel]) => channel !== 'email' || mayMail)
  return (
    <>
      <Choice id="canal" label="Cómo te avisamos" options={channels} value={values.canal} />
      <p class="hint of-email">
        Por correo, como mucho uno por hora y por alerta, y diez por hora en total.
      </p>
      <Group of="webhook">
        <UrlFields label="URL del webhook" value={values.url} hasAuthorization={hasAuthorization} />
      </Group>
    </>
  )
}

/**
 * Fields of a single choice. Only the server validates them: the browser would refuse a form
 * because of a hidden field.
 */
function Group({ of, children }: { of: 'gap' | 'repeat' | 'webhook'; children: Child }) {
  return <div class={`fields of-${of}`}>{children}</div>
}

interface ChoiceProps {
  id: string
  label: string
  value: string
  describedby?: string | undefined
}

/** The script reads the data of a pair from its option. */
function PairChoice({ pairs = PAIRS, ...props }: ChoiceProps & { pairs?: readonly Pair[] }) {
  const options = pairs.map(
    (pair) => [pairKey(pair), `${pair.name} (${pairKey(pair)})`, pair] as const,
  )
  return <Choice {...props} options={options} />
}

function Choice({
  id,
  label,
  value,
  options,
  describedby,
}: ChoiceProps & { options: readonly (readonly [string, string, Pair?])[] }) {
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} name={id} required aria-describedby={describedby}>
        {options.map(([option, text, pair]) => (
          <option value={option} selected={option === value} {...(pair && dataOf(pair))}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

function dataOf({ name, origin, decimals, singleValue }: Pair) {
  return {
    'data-name': `${origin === 'UVA' ? 'la' : 'el'} ${name}`,
    'data-decimals': String(decimals),
    'data-single': singleValue ? '' : undefined,
  }
}
