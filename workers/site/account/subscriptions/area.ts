/** What differs between the pages of webhooks and those of alerts. */
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { given } from '../../../../shared/api/subscription-fields.ts'
import type { Kind, NewSubscription } from '../../../../shared/subscriptions/kind.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import type { Fields } from '../../context.ts'

/**
 * How a kind is shown and read from forms. Its functions are methods, so that pages can take any
 * kind (method parameters are bivariant); each kind gets only its own values.
 */
export interface Area<
  Stored extends StoredSubscription = StoredSubscription,
  New extends NewSubscription = NewSubscription,
> {
  kind: Kind<Stored, New>
  path: '/cuenta/webhooks' | '/cuenta/alertas'
  /** Its name, also in ids and notices, and the end of its participles. */
  slug: 'webhook' | 'alerta'
  end: 'o' | 'a'
  intro: string
  editHint: string
  /** The name of a delivery that nobody asked for. */
  automatic: string
  /** The initial form of a creation. */
  empty: Fields
  Fields(props: FieldsProps): Child
  /** Scripts of the pages with a form; it works without them. */
  scripts: string[]
  /** Reads the fields of a submitted form that are the kind's own. */
  form: z.ZodType<Wanted<New>>
  valuesOf(subscription: Stored, url: string): Fields
  show(subscription: Stored): Shown
  /** The name of the notice after an edit. */
  savedNotice(before: Stored, after: Stored): string
}

/** What a form asks for: a null credential removes the stored one. */
type Wanted<New> = Omit<New, keyof NewSubscription> & {
  receiverAuthorization: string | null | undefined
}

export interface FieldsProps {
  values: Fields
  isNew: boolean
  /** Whether the receiver's credential replaces a stored one. */
  hasAuthorization: boolean
  /** Whether it may go by e-mail. */
  mayMail: boolean
  describedby: string | undefined
}

/** A subscription in words. */
export interface Shown {
  name: string
  /** Where it notifies. */
  target: Child
  state: StateWords
  /** A further sentence about it. */
  more: string
  /** Whether activating it does something. */
  canActivate: boolean
  /** Whether it makes deliveries, signed with a secret. An alert by e-mail does not. */
  isDelivered: boolean
}

export interface StateWords {
  label: string
  /** The reason, and what its owner can do. */
  text: string
  tone: 'good' | 'plain' | 'bad'
}

/** A pair of a form, `USD/BLUE`. Any other text is refused later like an unknown pair. */
export const pairField = z
  .string()
  .catch('')
  .transform((text) => {
    const [currency = '', origin = ''] = text.split('/')
    return { currency, origin }
  })

/** The receiver of a form. */
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

/** The credential: given, removed (null) or left as it is. */
export function credentialOf(form: { autorizacion: string; quitar?: string | undefined }) {
  return form.autorizacion || (form.quitar === undefined ? undefined : null)
}
