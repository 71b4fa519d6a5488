import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { hashKey } from '../../../shared/access/api-key.ts'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { clientKey } from '../../../shared/access/client-key.ts'
import { createUnknownKeyLimit } from '../../../shared/access/unknown-key-limit.ts'
import type { Context } from 'hono'
import type { Deps, SiteContext } from '../context.ts'
import { databaseOutOfReach, HttpError } from '../errors.ts'

/** What `find` returns for a secret; null when it is nobody's. Throws a 429 past the limit. */
export type LimitGuesses = <Found>(
  c: Context<SiteContext>,
  secret: string,
  find: () => Promise<Found | null>,
) => Promise<Found | null>

/**
 * Limits by address the look-ups of what comes without a session: links of sign-in and callbacks of
 * GitHub. Counted like unknown keys.
 */
export function createLimitGuesses({ now }: Pick<Deps, 'now'>): LimitGuesses {
  const guesses = createUnknownKeyLimit()

  return async (c, secret, find) => {
    const at = now()
    const client = `sign-in:${clientKey(clientAddress(c.req.raw.headers, c.env))}`
    const result = await guesses.lookUp(
      c.env,
      { client, hash: await hashKey(secret), now: at },
      async () => {
        const found = await find()
        // To the sign-in library a link that cannot be read is a dead one.
        if (found === null && c.var.databaseFailed()) throw databaseOutOfReach()
        return found
      },
    )
    if (result.ok) return result.value

    throw new HttpError(
      429,
      'Demasiados intentos que no sirvieron; esperá un minuto y probá con el último enlace que te llegó',
      { retryAfter: Math.max(1, Math.ceil((result.refusal - at) / SECOND_MS)) },
    )
  }
}
