import type { Context } from 'hono'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { clientKey } from '../../../shared/access/client-key.ts'
import { wideClientKey } from '../../../shared/access/wide-client-key.ts'
import type { Deps, SiteContext } from '../context.ts'
import { takeSignIn } from '../db/accounts/sign-in-quotas.ts'
import { HttpError } from '../errors.ts'
import { keyedHash } from './keyed-hash.ts'
import type { LimitGuesses } from './limit-guesses.ts'

/** Links to one mailbox: enough for a lost mail, too few to flood it. */
const PER_MAILBOX = { limit: 5, windowMs: HOUR_MS }

/** Links asked for from one client, whatever the mailboxes; of an IPv6 /48 half as many more. */
const MAILS = { limit: 10, wideLimit: 15, windowMs: HOUR_MS }

/** Sign-ins at a provider begun from one client: room for an office behind an address. */
const STARTS = { limit: 20, wideLimit: 30, windowMs: 10 * MINUTE_MS }

export interface SignInDeps extends Deps {
  limitGuesses: LimitGuesses
}

/**
 * Counts the start of a sign-in, by mail or at a provider, or refuses it with 429. Known and unknown
 * e-mails are treated alike. Who goes on after refusals is refused without the database.
 */
export async function limitSignIn(
  c: Context<SiteContext>,
  { now, limitGuesses }: Pick<SignInDeps, 'now' | 'limitGuesses'>,
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

  const seconds = Math.max(1, Math.ceil((until - at) / SECOND_MS))
  const wait = `esperá ${Math.ceil(seconds / 60)} min y volvé a intentar`
  throw new HttpError(
    429,
    email === undefined
      ? `Quisiste entrar demasiadas veces; ${wait}`
      : `Mandamos hasta ${PER_MAILBOX.limit} enlaces por hora a un correo y hasta ${MAILS.limit} desde una conexión, y ya salieron; usá el último que llegó, o ${wait}`,
    { retryAfter: seconds },
  )
}

function quotasOf(c: Context<SiteContext>, email: string | undefined) {
  const client = clientKey(clientAddress(c.req.raw.headers, c.env))
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
