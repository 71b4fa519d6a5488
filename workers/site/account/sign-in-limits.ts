/** How often somebody may ask to sign in, or try links and callbacks. */
import type { Context } from 'hono'
import { hashKey } from '../../../shared/access/api-key.ts'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { clientKey } from '../../../shared/access/client-key.ts'
import { createUnknownKeyLimit } from '../../../shared/access/unknown-key-limit.ts'
import { wideClientKey } from '../../../shared/access/wide-client-key.ts'
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Deps, SiteContext } from '../context.ts'
import { takeSignIn } from '../db/accounts/sign-in-quotas.ts'
import { databaseOutOfReach, HttpError } from '../errors.ts'
import { keyedHash } from './session.ts'

/** Links to one mailbox: enough for a lost mail, too few to flood it. */
const PER_MAILBOX = { limit: 5, windowMs: HOUR_MS }

/** Links asked for from one client, whatever the mailboxes; of an IPv6 /48 half as many more. */
const MAILS = { limit: 10, wideLimit: 15, windowMs: HOUR_MS }

/** Sign-ins at a provider begun from one client: room for an office behind an address. */
const STARTS = { limit: 20, wideLimit: 30, windowMs: 10 * MINUTE_MS }

export interface SignInDeps extends Deps {
  limitGuesses: LimitGuesses
}

/** What `find` returns for a secret; null when it is nobody's. Throws a 429 past the limit. */
type LimitGuesses = <Found>(
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
    const client = `sign-in:${clientOf(c)}`
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

    throw tooMany(
      'Demasiados intentos que no sirvieron; esperá un minuto y probá con el último enlace que te llegó',
      secondsUntil(result.refusal, at),
    )
  }
}

/**
 * Counts the start of a sign-in, by mail or at a provider, or refuses it with 429. Known and unknown
 * e-mails are treated alike. Who goes on after refusals is refused without the database.
 */
export async function limitSignIn(
  c: Context<SiteContext>,
  { now, limitGuesses }: SignInDeps,
  email?: string,
): Promise<void> {
  const at = now()
  const quotas = await quotasOf(c, email)
  let until = at
  const taken = await limitGuesses(c, `start ${at} ${email}`, async () => {
    const result = await takeSignIn(c.env.DB, { quotas, now: at })
    if (result.ok) return true
    until = result.until
    return null
  })
  if (taken) return

  const seconds = secondsUntil(until, at)
  const wait = `esperá ${Math.ceil(seconds / 60)} min y volvé a intentar`
  throw tooMany(
    email === undefined
      ? `Quisiste entrar demasiadas veces; ${wait}`
      : `Mandamos hasta ${PER_MAILBOX.limit} enlaces por hora a un correo y hasta ${MAILS.limit} desde una conexión, y ya salieron; usá el último que llegó, o ${wait}`,
    seconds,
  )
}

const tooMany = (message: string, retryAfter: number) => new HttpError(429, message, { retryAfter })

function secondsUntil(until: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((until - now) / SECOND_MS))
}

function clientOf(c: Context<SiteContext>): string {
  return clientKey(clientAddress(c.req.raw.headers, c.env))
}

function quotasOf(c: Context<SiteContext>, email: string | undefined) {
  const client = clientOf(c)
  const wide = wideClientKey(client)
  const [purpose, { limit, wideLimit, windowMs }] =
    email === undefined ? (['address', STARTS] as const) : (['mail-address', MAILS] as const)
  const counted = [
    ...(email === undefined
      ? []
      : [{ purpose: 'mailbox', text: mailboxOf(email), ...PER_MAILBOX }]),
    { purpose, text: client, limit, windowMs },
    ...(wide === null ? [] : [{ purpose, text: wide, limit: wideLimit, windowMs }]),
  ]
  return Promise.all(
    counted.map(async ({ purpose, text, ...quota }) => ({
      subject: await keyedHash(c.env.SESSION_SECRET, purpose, text),
      ...quota,
    })),
  )
}

/** The mailbox of an address, without what its provider passes over: `+tags`, and Gmail's dots. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, at).split('+')
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
