import { normalizeEmail } from '../../../shared/mail.ts'
import { findPairByKey, type Pair } from '../../../shared/market/catalog.ts'
import { type Instant, isDay } from '../../../shared/argentine-time.ts'
import { type Account, findAccount } from './accounts.ts'
import { AdminError } from './command.ts'

export function takeEmail(text: string): string {
  const email = normalizeEmail(text)
  if (email === null) throw new AdminError(`'${text}' is no e-mail address`)
  return email
}

export function readPair(key: string): Pair {
  const pair = findPairByKey(key)
  if (!pair) throw new AdminError(`no pair ${key} in the catalogue`)
  return pair
}

/** A parser for an option that names a day. */
export function day(name: string) {
  return (text: string): string => {
    if (!isDay(text)) throw new AdminError(`${name} needs a day, YYYY-MM-DD`)
    return text
  }
}

/** The parser of `--since`. */
export function readSince(text: string): Instant {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new AdminError('--since needs an instant: 2026-11-21T12:00:00Z')
  return at
}

/** The account of an address as typed. If there is none, `advice` says what to do. */
export async function accountOf(
  db: D1Database,
  text: string,
  advice = "make it with 'account create'",
): Promise<Account> {
  const email = takeEmail(text)
  const account = await findAccount(db, email)
  if (!account) throw new AdminError(`no account ${email}: ${advice}`)
  return account
}
