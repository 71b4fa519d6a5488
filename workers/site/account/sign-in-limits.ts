import { MINUTE_MS, SECOND_MS, type Instant } from '../../../shared/argentine-time.ts'
import { clientKey } from '../../../shared/access/client-key.ts'
import { takeSignIn } from '../db/accounts/sign-in-quotas.ts'
import { wideClientKey } from '../../../shared/access/wide-client-key.ts'
import { HttpError } from '../errors.ts'
import { keyedHash } from './keyed-hash.ts'

const WINDOW_MS = 10 * MINUTE_MS

/** Links to one e-mail in a window: enough for a lost mail, too few to flood a mailbox. */
const PER_EMAIL = 5

/** Sign-ins begun from one client in a window: room for an office behind an address. */
const PER_CLIENT = 20

/** The same for an IPv6 /48, whose holder has 65,536 client keys. */
const PER_WIDE_CLIENT = 30

interface Beginning {
  /** The e-mail of the link; a sign-in at a provider has none yet. */
  email?: string
  address: string | undefined
  secret: string
  now: Instant
}

/**
 * Counts the start of a sign-in, or refuses it with 429. Known and unknown e-mails are treated
 * alike.
 */
export async function limitSignIn(
  db: D1Database,
  { email, address, secret, now }: Beginning,
): Promise<void> {
  const client = clientKey(address)
  const wide = wideClientKey(client)
  const counted = [
    ...(email === undefined ? [] : [{ purpose: 'email', text: email, limit: PER_EMAIL }]),
    { purpose: 'address', text: client, limit: PER_CLIENT },
    ...(wide === null ? [] : [{ purpose: 'address', text: wide, limit: PER_WIDE_CLIENT }]),
  ]
  const quotas = await Promise.all(
    counted.map(async ({ purpose, text, limit }) => ({
      subject: await keyedHash(secret, purpose, text),
      limit,
    })),
  )

  const taken = await takeSignIn(db, { quotas, windowMs: WINDOW_MS, now })
  if (taken.ok) return

  const what =
    email === undefined ? 'Quisiste entrar demasiadas veces' : 'Pediste demasiados enlaces'
  throw new HttpError(429, `${what}; esperá unos minutos y volvé a intentar`, {
    retryAfter: Math.max(1, Math.ceil((taken.until - now) / SECOND_MS)),
  })
}
