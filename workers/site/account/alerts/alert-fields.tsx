import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import type { FieldsProps } from '../receivers/area.ts'
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

/** What the alert watches and how it is told. All fields are there: it works without a script. */
export function AlertFields(props: FieldsProps<AlertValues>) {
  return (
    <>
      <WatchFields {...props} />
      <RepeatFields {...props} />
      <ChannelFields {...props} />
    </>
  )
}

function WatchFields({ values, describedby }: FieldsProps<AlertValues>) {
  return (
    <>
      <div class="field-row">
        <PairChoice id="par" label="Cotización" value={values.par} describedby={describedby} />
        <Choice id="lado" label="Precio" options={SIDES} value={values.lado} />
      </div>
      <Choice id="condicion" label="Avisar cuando" options={CONDITIONS} value={values.condicion} />
      <label for="umbral">Valor o porcentaje</label>
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
        Un precio en pesos (o puntos) para las dos primeras opciones, un porcentaje para las otras.
      </p>
      <div class="field-row">
        <PairChoice id="contra" label="Comparar con" value={values.contra} />
        <Choice id="contra_lado" label="Su precio" options={SIDES} value={values.contra_lado} />
      </div>
      <p class="hint">
        Solo para «se aparta de otra cotización»: tiene que ser de la misma moneda.
      </p>
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
      <label for="histeresis">
        Margen para volver a avisar <span class="optional">(opcional)</span>
      </label>
      <input
        id="histeresis"
        name="histeresis"
        type="number"
        min="0"
        step="any"
        inputmode="decimal"
        value={values.histeresis}
        aria-describedby="histeresis-ayuda"
      />
      <p id="histeresis-ayuda" class="hint">
        Cuánto tiene que alejarse del valor antes de poder avisar otra vez, para que un vaivén no
        avise a cada rato.
      </p>
    </>
  )
}

function ChannelFields({ values, hasAuthorization }: FieldsProps<AlertValues>) {
  return (
    <>
      <Choice id="canal" label="Cómo te avisamos" options={CHANNELS} value={values.canal} />
      <p class="hint">
        Por correo, como mucho uno por hora y por alerta, y diez por hora en total.
      </p>
      <label for="url">
        URL del webhook <span class="optional">(solo por webhook)</span>
      </label>
      <input
        id="url"
        name="url"
        type="url"
        value={values.url}
        maxlength={2048}
        autocomplete="off"
        spellcheck={false}
        placeholder="https://tu-servidor.com/avisos"
      />
      <label for="autorizacion">
        {hasAuthorization ? 'Credencial nueva para el receptor' : 'Credencial para el receptor'}{' '}
        <span class="optional">(opcional)</span>
      </label>
      <input
        id="autorizacion"
        name="autorizacion"
        type="password"
        maxlength={2048}
        autocomplete="off"
      />
      {hasAuthorization && (
        <label class="check">
          <input type="checkbox" name="quitar" value="si" /> Quitar la credencial guardada
        </label>
      )}
    </>
  )
}

interface ChoiceProps {
  id: string
  label: string
  value: string
  describedby?: string | undefined
}

function PairChoice(props: ChoiceProps) {
  const options = PAIRS.map((pair) => [pairKey(pair), `${pair.name} (${pairKey(pair)})`] as const)
  return <Choice {...props} options={options} />
}

function Choice({
  id,
  label,
  value,
  options,
  describedby,
}: ChoiceProps & { options: readonly (readonly [string, string])[] }) {
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} name={id} required aria-describedby={describedby}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
