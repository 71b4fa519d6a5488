/** The differences between the pages of webhooks and those of alerts. */
import type { Child } from 'hono/jsx'
import type { Kind, NewSubscription } from '../../../../shared/subscriptions/kind.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import type { HttpError } from '../../errors.ts'
import type { Fields } from '../forms.ts'

/**
 * How a kind is shown and read from forms. Its functions are methods, so that pages can take any
 * kind (method parameters are bivariant); each kind gets only its own values.
 */
export interface Area<
  Stored extends StoredSubscription = StoredSubscription,
  Values = unknown,
  New extends NewSubscription = NewSubscription,
> {
  kind: Kind<Stored, New>
  path: '/cuenta/webhooks' | '/cuenta/alertas'
  words: Words
  notFound: () => HttpError
  /** The initial form of a creation. */
  empty: Values
  Fields(props: FieldsProps<Values>): Child
  /** Scripts of the pages with a form; it works without them. */
  scripts?: string[]
  /** Below the fields of a creation. */
  extraField?: Child
  typed(fields: Fields): Typed<Values, Omit<New, keyof NewSubscription>>
  valuesOf(subscription: Stored, url: string): Values
  /** Its name in a list and above a question. */
  name(subscription: Stored): Child
  /** The heading of its page. */
  heading(subscription: Stored): string
  /** The title of its page. */
  title(subscription: Stored): string
  /** Where it notifies, for the list and its page. */
  target(subscription: Stored): Child
  longTarget(subscription: Stored): Child
  state(subscription: Stored): StateWords
  /** A further sentence about its state. */
  more(subscription: Stored): Child
  /** Whether activating it does something. */
  canActivate(subscription: Stored): boolean
  /** Whether it makes deliveries, signed with a secret. An alert by e-mail does not. */
  isDelivered(subscription: Stored): boolean
  /** The name of the notice after an edit, and after a creation without a secret. */
  createdNotice(subscription: Stored): string
  savedNotice(before: Stored, after: Stored): string
}

/** A form that was read. */
interface Typed<Values, Wanted> {
  values: Values
  /** The fields of a creation or an edit that are the kind's own. */
  wanted: Wanted
  /** Whether its credential counts: an alert by e-mail has none. */
  hasCredential: boolean
}

export interface FieldsProps<Values> {
  values: Values
  /** Whether the receiver's credential replaces a stored one. */
  hasAuthorization?: boolean
  /** Whether it may go by e-mail. */
  mayMail: boolean
  describedby?: string | undefined
}

export interface StateWords {
  label: string
  /** The reason, and what its owner can do. */
  text: string
  tone: 'good' | 'plain' | 'bad'
}

/** Sentences, and parts of them. */
export interface Words {
  /** In ids, and in the names of notices. */
  slug: 'webhook' | 'alerta'
  /** The ends of its participles, and of "Nuevo". */
  end: 'o' | 'a'
  plural: 'Webhooks' | 'Alertas'
  the: 'el webhook' | 'la alerta'
  of: 'del webhook' | 'de la alerta'
  back: string
  intro: string
  create: string
  submit: string
  created: string
  /** Beneath an old form. */
  changed: string
  /** Why there is no form at the limit. */
  full: (count: number) => string
  /** While the feature is closed to users. */
  closed: string
  /** The name of an automatic delivery where it is not a change of a value. */
  automatic?: string
  editHint: (isEnabled: boolean) => string
  rotateHint?: string
  deleted: string
}

/** The two codes of `USD/BLUE`. Any other text is refused like an unknown pair. */
export function pairCodes(par: string): { currency: string; origin: string } {
  const [currency = '', origin = ''] = par.split('/')
  return { currency, origin }
}
