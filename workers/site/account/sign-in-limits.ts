import { MINUTE_MS, SECOND_MS, type Instant } from '../../../shared/argentine-time.ts'
import { clientKey } from '../../../shared/client-key.ts'
import type { Database } from '../../../shared/db/database.ts'
import { takeSignIn } from '../../../shared/db/sign-in-quotas.ts'
import { HttpError } from '../errors.ts'
import { keyedHash } from './keyed-hash.ts'

const WINDOW_MS = 10 * MINUTE_MS

/** Links to one e-mail in a window: room for a lost mail, none to flood a mailbox. */
const PER_EMAIL = 5

/** Links asked for from one address in a window: room for an office behind it. */
const PER_ADDRESS = 20

/** Counts a sign-in link, or refuses it with 429; the same for known and unknown e-mails. */
export async function limitSignIn(
  db: Database,
  {
    email,
    address,
    secret,
    now,
  }: { email: string; address: string | undefined; secret: string; now: Instant },
): Promise<void> {
  const [byEmail, byAddress] = await Promise.all([
    keyedHash(secret, 'email', email),
    keyedHash(secret, 'address', clientKey(address)),
  ])

  const taken = await takeSignIn(db, {
    quotas: [
      { subject: byEmail, limit: PER_EMAIL },
      { subject: byAddress, limit: PER_ADDRESS },
    ],
    windowMs: WINDOW_MS,
    now,
  })
  if (taken.ok) return

  throw new HttpError(429, 'Pediste demasiados enlaces; esperá unos minutos y volvé a intentar', {
    retryAfter: Math.max(1, Math.ceil((taken.until - now) / SECOND_MS)),
  })
}
