/** The differences between the pages of webhooks and the pages of alerts. */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { given } from '../../../../shared/api/subscription-fields.ts'
import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Own, StoredSubscription } from '../../../../shared/db/subscriptions.ts'
import { type Pair, PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { shownDecimals } from '../../../../shared/market/spanish-text.ts'
import type { Result } from '../../../../shared/result.ts'
import type { SubscriptionContext } from '../../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../../shared/subscriptions/create.ts'
import { editSubscription, rotateSecret } from '../../../../shared/subscriptions/edit.ts'
import {
  type EditOf,
  findSubscription,
  type Kind,
  listSubscriptions,
  type NewSubscription,
  type Switch,
} from '../../../../shared/subscriptions/kind.ts'
import {
  refusalError,
  type SubscriptionRefusal,
  WORDS,
} from '../../../../shared/subscriptions/refusal.ts'
import type { SubscriptionKind } from '../../../../shared/webhooks/webhook.ts'
import type { AccountContext, Fields } from '../../context.ts'
import { badRequest, HttpError } from '../../../../shared/http-error.ts'
import { Field } from '../parts.tsx'

/** A request of the pages, with the subscription before the action. A list has no subscription. */
export interface PageContext extends AccountContext {
  Variables: AccountContext['Variables'] & { subscription: Shown }
}
export type Here = Context<PageContext>

interface Words {
  path: '/cuenta/webhooks' | '/cuenta/alertas'
  /** The Spanish name of the kind, also in ids and notices. `end` is its grammatical gender. */
  slug: 'webhook' | 'alerta'
  end: 'o' | 'a'
  intro: string
  editHelp: string
  /** The initial values of the form that creates. */
  empty: Fields
  Fields: (props: SubscriptionFormProps) => Child
}

/** How a kind is shown and read from forms. */
interface Definition<Stored extends StoredSubscription, New extends NewSubscription> extends Words {
  kind: Kind<Stored, New, EditOf<New>>
  /** Reads the fields that only this kind has. */
  form: z.ZodType<Wanted<New>>
  /** Makes a creation from these fields and the fields of both kinds. */
  creation: (typed: Wanted<New>, common: Common) => New
  valuesOf: (subscription: Stored, url: string) => Fields
  show: (subscription: Stored) => InWords
}

type Common = NewSubscription & { receiverAuthorization: string | undefined }

/** The values of a form. A null credential removes the stored credential. */
type Wanted<New> = Omit<New, keyof NewSubscription> & {
  receiverAuthorization: string | null | undefined
}

/** A kind for the pages, which need not know its types. Its operations throw refusals. */
export type Area = ReturnType<typeof areaOf>

export function areaOf<Stored extends StoredSubscription, New extends NewSubscription>(
  definition: Definition<Stored, New>,
) {
  const { kind, form, creation, valuesOf, show, ...words } = definition
  const shown = (stored: Stored): Shown => ({
    ...show(stored),
    stored,
    values: (url) => valuesOf(stored, url),
  })
  /** Refuses only a credential that cannot be sent in a header. */
  const read = (fields: Fields) => {
    const typed = form.safeParse(fields)
    if (!typed.success) throw badRequest(typed.error.issues[0]!.message)
    return typed.data
  }
  const valueOf = <Value,>(result: Result<Value, SubscriptionRefusal>): Value => {
    if (result.ok) return result.value
    throw refusalOf(result.refusal, kind.name, words)
  }

  return {
    ...words,
    name: kind.name,
    limit: WORDS[kind.name].limit,
    test: kind.test,
    valueOf,
    list: async (db: D1Database, accountId: string, now: Instant) =>
      (await listSubscriptions(db, kind, accountId, now)).map(shown),
    async find(db: D1Database, own: Own, now: Instant) {
      const found = await findSubscription(db, kind, own, now)
      return found && shown(found)
    },
    async create(context: SubscriptionContext, accountId: string, fields: Fields) {
      const typed = read(fields)
      const wanted = creation(typed, {
        operationId: fields['operacion']!,
        enabled: fields['pausado'] === undefined,
        receiverAuthorization: typed.receiverAuthorization ?? undefined,
      })
      const created = valueOf(await createSubscription(context, kind, accountId, wanted))
      return { secret: created.secret, subscription: shown(created.subscription) }
    },
    /** Edits with the `fields` of a form; without them it pauses or activates. */
    async edit(context: SubscriptionContext, own: Own, change: Switch, fields?: Fields) {
      const edit = fields ? { ...read(fields), ...change } : change
      const edited = valueOf(await editSubscription(context, kind, own, edit))
      return { owesSync: edited.owesSync, subscription: shown(edited.subscription) }
    },
    rotate: async (context: SubscriptionContext, seen: Own & { version: number }) =>
      valueOf(await rotateSecret(context, kind, seen)).secret,
  }
}

/** The API's refusal, some with a text for the page. */
function refusalOf(refusal: SubscriptionRefusal, kind: SubscriptionKind, { slug, end }: Words) {
  if (refusal === 'version_changed') {
    const what = `${end === 'a' ? 'La' : 'El'} ${slug} cambió mientras tanto`
    return new HttpError(409, `${what} y no hicimos nada; mirá cómo está ahora y volvé a intentar`)
  }
  if (refusal === 'quote_unavailable')
    return new HttpError(409, 'Todavía no tenemos esa cotización: no hay qué mandar en la prueba')
  return refusalError(kind, refusal)
}

export interface SubscriptionFormProps {
  values: Fields
  isNew: boolean
  /** Whether the receiver has a stored credential. */
  hasAuthorization: boolean
  /** Whether the alert may notify by e-mail. */
  mayMail: boolean
}

/** The texts about a subscription. */
interface InWords {
  name: string
  /** Where the subscription notifies. */
  target: Child
  state: StateWords
  /** A second sentence, under the state. */
  more: string
  /** Whether activating changes anything. */
  canActivate: boolean
  /** Whether it makes deliveries signed with a secret. An alert by e-mail makes none. */
  isDelivered: boolean
}

export interface Shown extends InWords {
  stored: StoredSubscription
  /** The values of the form, given the URL of the receiver. */
  values: (url: string) => Fields
}

export interface StateWords {
  label: string
  /** The reason of the state, and what the owner can do. */
  text: string
  tone: 'good' | 'plain' | 'bad'
}

/** The field of a pair, `USD/BLUE`. Any other text is refused later as an unknown pair. */
export const pairField = z
  .string()
  .catch('')
  .transform((text) => {
    const [currency = '', origin = ''] = text.split('/')
    return { currency, origin }
  })

/** The fields of a receiver. */
export const receiverFields = {
  url: z.string().trim().catch(''),
  autorizacion: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || given.receiverAuthorization().safeParse(text).success,
      'La credencial tiene que ser texto ASCII de hasta 2048 caracteres, sin espacios en las puntas',
    ),
  quitar: z.string().optional(),
}

/** The typed credential; null to remove the stored credential; undefined to keep it. */
export function credentialOf(form: { autorizacion: string; quitar?: string | undefined }) {
  return form.autorizacion || (form.quitar === undefined ? undefined : null)
}

interface SelectProps extends Pick<SubscriptionFormProps, 'values'> {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string, attributes?: object])[]
}

export function Select({ name, label, values, options }: SelectProps) {
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name} required>
        {options.map(([option, text, attributes]) => (
          <option value={option} selected={option === values[name]} {...attributes}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

/** The options of a select of pairs, with attributes for the script and the style sheet. */
export function optionsOf(pairs: readonly Pair[] = PAIRS): SelectProps['options'] {
  return pairs.map((pair) => [
    pairKey(pair),
    `${pair.name} (${pairKey(pair)})`,
    { 'data-decimals': shownDecimals(pair), 'data-single': pair.singleValue ? '' : undefined },
  ])
}

/**
 * The fields of the receiver's URL and credential. A stored credential is never shown. Only the
 * server checks the fields: a browser would also check them in an alert by e-mail, where they are
 * hidden.
 */
export function ReceiverFields({ values, hasAuthorization }: SubscriptionFormProps) {
  return (
    <>
      <Field
        name="url"
        label="URL que recibe los avisos"
        type="text"
        inputmode="url"
        value={values['url']}
        maxlength={2048}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="https://tu-servidor.com/avisos"
        help="Pública, con HTTPS y puerto 443. Hacemos un POST firmado y esperamos un 2xx en 10 segundos."
      />
      <Field
        name="autorizacion"
        label={`Credencial${hasAuthorization ? ' nueva' : ''} para el receptor`}
        isOptional
        type="password"
        maxlength={2048}
        autocomplete="off"
        help={`Va tal cual en el encabezado Authorization de cada envío. ${
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
