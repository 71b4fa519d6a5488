/** Fields that the forms of webhooks and alerts share. */
import { type Pair, PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { Field } from '../parts.tsx'
import type { FieldsProps } from './area.ts'

interface SelectProps extends Pick<FieldsProps, 'values'> {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string, pair?: Pair])[]
  describedby?: string | undefined
}

export function Select({ name, label, values, options, describedby }: SelectProps) {
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name} required aria-describedby={describedby}>
        {options.map(([option, text, pair]) => (
          <option value={option} selected={option === values[name]} {...(pair && dataOf(pair))}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

type PairSelectProps = Omit<SelectProps, 'options'> & { pairs?: readonly Pair[] }

export function PairSelect({ pairs = PAIRS, ...props }: PairSelectProps) {
  const options = pairs.map(
    (pair) => [pairKey(pair), `${pair.name} (${pairKey(pair)})`, pair] as const,
  )
  return <Select {...props} options={options} />
}

/** What the script of the alert form reads from an option. */
function dataOf({ name, origin, decimals, singleValue }: Pair) {
  return {
    'data-name': `${origin === 'UVA' ? 'la' : 'el'} ${name}`,
    'data-decimals': String(decimals),
    'data-single': singleValue ? '' : undefined,
  }
}

/**
 * The URL of the receiver, and its credential: the stored one is never shown. Where another choice
 * can hide them, only the server checks them: a browser would refuse the form because of them.
 */
export function ReceiverFields(props: FieldsProps & { isHideable?: boolean }) {
  const { values, hasAuthorization, describedby, isHideable = false } = props
  return (
    <>
      <Field
        name="url"
        label="URL que recibe los avisos"
        type={isHideable ? 'text' : 'url'}
        inputmode="url"
        value={values['url']}
        required={!isHideable}
        maxlength={2048}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="https://tu-servidor.com/avisos"
        hint="Pública, con HTTPS y puerto 443. Hacemos un POST firmado y esperamos un 2xx en 10 segundos."
        describedby={describedby}
      />
      <Field
        name="autorizacion"
        label={`Credencial${hasAuthorization ? ' nueva' : ''} para el receptor`}
        isOptional
        type="password"
        maxlength={2048}
        autocomplete="off"
        hint={`Va tal cual en el encabezado Authorization de cada envío. ${
          hasAuthorization
            ? 'Hay una guardada: si dejás esto vacío, queda como está.'
            : 'Se guarda cifrada y no la volvemos a mostrar.'
        }`}
      />
      {hasAuthorization && (
        <label class="check">
          <input type="checkbox" name="quitar" value="si" /> Quitar la credencial guardada
        </label>
      )}
    </>
  )
}
