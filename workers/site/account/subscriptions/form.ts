import { isReceiverAuthorization } from '../../../../shared/subscriptions/receiver-authorization.ts'
import { isUuid } from '../../../../shared/uuid.ts'
import { badRequest } from '../../errors.ts'
import type { Fields } from '../forms.ts'
import { FIELDS_MISSING } from '../messages.ts'

export const AUTHORIZATION_INVALID =
  'La credencial tiene que ser texto ASCII de hasta 2048 caracteres, sin espacios en las puntas'

/** The two codes of `USD/BLUE`. Any other text is refused like an unknown pair. */
export function pairCodes(par: string): { currency: string; origin: string } {
  const [currency = '', origin = ''] = par.split('/')
  return { currency, origin }
}

/**
 * The receiver's credential as typed: undefined for none, `invalid` when no header can carry it.
 */
export function typedAuthorization(fields: Fields): string | undefined | { invalid: true } {
  const { autorizacion = '' } = fields
  if (autorizacion === '') return undefined
  return isReceiverAuthorization(autorizacion) ? autorizacion : { invalid: true }
}

/** The version of the subscription that the form was made from. */
export function seenVersion({ version = '' }: Fields): number {
  const seen = Number(version)
  if (/^\d{1,16}$/.test(version) && Number.isSafeInteger(seen)) return seen
  throw badRequest(FIELDS_MISSING)
}

export function seenOperation({ operacion = '' }: Fields): string {
  if (isUuid(operacion)) return operacion
  throw badRequest(FIELDS_MISSING)
}
