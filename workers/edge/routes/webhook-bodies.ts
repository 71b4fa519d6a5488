/** What the webhook routes accept: strict, so that a misspelt field never goes unnoticed. */
import * as z from 'zod'
import { CURRENCIES, ORIGINS } from '../../../shared/catalog.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const uuid = z.string().regex(UUID)

/** Printable ASCII without spaces at its ends: what a header carries unchanged (decision 30). */
const receiverAuthorization = z
  .string()
  .max(2048)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)

const version = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Its length and everything else is the destination policy's. */
const url = z.string()

export const createBody = z.strictObject({
  operationId: uuid,
  url,
  currency: z.enum(CURRENCIES),
  origin: z.enum(ORIGINS),
  enabled: z.boolean().default(true),
  receiverAuthorization: receiverAuthorization.optional(),
})

export const editBody = z.strictObject({
  version,
  url: url.optional(),
  currency: z.enum(CURRENCIES).optional(),
  origin: z.enum(ORIGINS).optional(),
  enabled: z.boolean().optional(),
  receiverAuthorization: receiverAuthorization.nullable().optional(),
})

export const versionBody = z.strictObject({ version })

export const emptyBody = z.strictObject({}).optional()
