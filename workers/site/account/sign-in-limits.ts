/** Limits on starting sign-ins, and on trying links and callbacks. */
import type { Context } from 'hono'
import { hashKey } from '../../../shared/access/api-key.ts'
import { clientOf, widerClient } from '../../../shared/access/client.ts'
import { createUnknownKeyLimit } from '../../../shared/access/unknown-key-limit.ts'
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Deps, SiteContext } from '../context.ts'
import { takeSignIn } from '../db/sign-in.ts'
import { HttpError } from '../../../shared/http-error.ts'
import { databaseOutOfReach } from '../respond-to-error.tsx'
import { keyedHash } from './session.tsx'

/**
 * Quotas of started sign-ins, by mail or at a provider. They leave room for a lost mail and for an
 * office behind one address, but prevent the flooding of a mailbox. A network is an IPv6 /48.
 */
const QUOTAS = {
  mailbox: { limit: 5, windowMs: HOUR_MS },
  'mail-address': { limit: 10, windowMs: HOUR_MS },
  'mail-network': { limit: 15, windowMs: HOUR_MS },
  'provider-address': { limit: 20, windowMs: 10 * MINUTE_MS },
  'provider-network': { limit: 30, windowMs: 10 * MINUTE_MS },
} as const

export interface SignInDeps extends Deps {
  limitGuesses: LimitGuesses
}

/** Returns what `find` returns, null for an unknown secret. Throws a 429 above the limit. */
type LimitGuesses = <Found>(
  c: Context<SiteContext>,
  secret: string,
  find: () => Promise<Found | null>,
) => Promise<Found | null>

/**
 * Limits by client address how often unknown sign-in links and GitHub callbacks are looked up, like
 * the limit of unknown keys.
 */
export function createLimitGuesses({ now }: Pick<Deps, 'now'>): LimitGuesses {
  const guesses = createUnknownKeyLimit()

  return async (c, secret, find) => {
    const at = now()
    const client = `sign-in:${clientOf(c.req.raw.headers, c.env)}`
    const result = await guesses.lookUp(
      c.env,
      { client, hash: await hashKey(secret), now: at },
      async () => {
        const found = await find()
        // If the database fails, the sign-in library treats the link as expired.
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
 * Counts a started sign-in, by mail or at a provider, or refuses it with 429. Treats known and
 * unknown e-mails alike. A client that continues after refusals is refused without a database read.
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
      : `Mandamos hasta ${QUOTAS.mailbox.limit} enlaces por hora a un correo y hasta ${QUOTAS['mail-address'].limit} desde una conexión, y ya salieron; usá el último que llegó, o ${wait}`,
    seconds,
  )
}

const tooMany = (message: string, retryAfter: number) => new HttpError(429, message, { retryAfter })

function secondsUntil(until: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((until - now) / SECOND_MS))
}

function quotasOf(c: Context<SiteContext>, email: string | undefined) {
  const client = clientOf(c.req.raw.headers, c.env)
  const network = widerClient(client)
  const counted: { [Name in keyof typeof QUOTAS]?: string | null } =
    email === undefined
      ? { 'provider-address': client, 'provider-network': network }
      : { mailbox: mailboxOf(email), 'mail-address': client, 'mail-network': network }
  const names = (Object.keys(QUOTAS) as (keyof typeof QUOTAS)[]).filter((name) => counted[name])
  return Promise.all(
    names.map(async (name) => ({
      ...QUOTAS[name],
      subject: await keyedHash(c.env.SESSION_SECRET, name, counted[name]!),
    })),
  )
}

/** The mailbox of an address, without the parts that providers ignore: `+tags` and Gmail's dots. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, at).split('+')
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
