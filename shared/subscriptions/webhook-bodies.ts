/**
 * The bodies that the webhook routes accept. Strict, so that a misspelt field is refused. The
 * reference adds the descriptions.
 */
import * as z from 'zod/mini'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import { RECEIVER_AUTHORIZATION } from './receiver-authorization.ts'
import { UUID } from '../uuid.ts'

export const uuid = z.string().check(z.regex(UUID))

const receiverAuthorization = z
  .string()
  .check(z.maxLength(RECEIVER_AUTHORIZATION.lengthMax), z.regex(RECEIVER_AUTHORIZATION.pattern))

const version = z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER))

/** The destination policy checks its length and everything else. */
const url = z.string()

export const createBody = z.strictObject({
  operationId: uuid,
  url,
  currency: z.enum(CURRENCIES),
  origin: z.enum(ORIGINS),
  enabled: z._default(z.boolean(), true),
  receiverAuthorization: z.optional(receiverAuthorization),
})

export const editBody = z.strictObject({
  version,
  url: z.optional(url),
  currency: z.optional(z.enum(CURRENCIES)),
  origin: z.optional(z.enum(ORIGINS)),
  enabled: z.optional(z.boolean()),
  receiverAuthorization: z.optional(z.nullable(receiverAuthorization)),
})

export const versionBody = z.strictObject({ version })

export const emptyBody = z.optional(z.strictObject({}))

/** An instant as answers print it, or with another offset. */
export const sinceBody = z.strictObject({ since: z.iso.datetime({ offset: true }) })
