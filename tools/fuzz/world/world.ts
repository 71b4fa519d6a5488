import { addDays, argentineDay } from '../../../shared/argentine-time.ts'
import { OTHERS_KEY } from '../changes/credentials.ts'
import type { FuzzRequest, Need } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { type FuzzAccount, openAccount } from './account.ts'
import { learn } from './learn.ts'
import type { Place } from './sign-up.ts'

export interface WorldSize {
  /** Accounts that are asked by key: each key has its own quota. */
  keyed: number
  /** Accounts that are asked by session, whose keys and selves come and go. */
  sessions: number
}

/** Signed up at once: the service's own limit is for each address, and these have their own. */
const AT_ONCE = 4
const KEYS_EACH = 5

const TOKEN = /"\{\{#(\w+)\}\}"|\{\{(\w+)(?::(-?\d+))?\}\}/g

/** What requests can be about: real accounts, keys, sessions and webhooks of the running service. */
export class World {
  private readonly place: Place
  private readonly accounts: Record<Need, FuzzAccount[]>
  private turn = 0

  private constructor(place: Place, accounts: Record<Need, FuzzAccount[]>) {
    this.place = place
    this.accounts = accounts
  }

  static async open(place: Place, { keyed, sessions }: WorldSize): Promise<World> {
    const key = await openMany(place, keyed, KEYS_EACH)
    const session = await openMany(place, sessions, 2)
    return new World(place, { key, session })
  }

  /** Those that are asked by key. */
  get keyed(): readonly FuzzAccount[] {
    return this.accounts.key
  }

  /** Every secret that was handed out, which no log may hold. */
  secrets(): string[] {
    const all = [...this.accounts.key, ...this.accounts.session]
    return all.flatMap(({ keys, revoked, cookie }) => [...keys, revoked, cookie.split('=')[1]!])
  }

  /** Gives the tokens of a request their values; the same ones for all of its texts. */
  fillerOf(request: FuzzRequest): (text: string) => string {
    const account = this.accountOf(request)
    this.turn += 1
    const ids = [...account.webhooks.keys()]
    const webhook = ids[this.turn % Math.max(1, ids.length)] ?? account.operationId
    const shown = [...account.shown.keys()]
    const keyId = shown[this.turn % Math.max(1, shown.length)] ?? account.operationId
    const others = this.accounts.key[(request.account + 1) % this.accounts.key.length]!

    const values: Record<string, () => string> = {
      key: () => account.keys[this.turn % account.keys.length] ?? '',
      otherKey: () => others.keys[0] ?? '',
      revoked: () => account.revoked,
      cookie: () => account.cookie,
      cookieName: () => account.cookie.split('=')[0]!,
      form: () => account.formToken,
      email: () => account.email,
      webhook: () => webhook,
      version: () => String(account.webhooks.get(webhook) ?? 1),
      operation: () => account.operationId,
      delivery: () => account.deliveryId,
      cursor: () => account.cursor,
      keyId: () => keyId,
      prefix: () => account.shown.get(keyId) ?? '',
      origin: () => this.place.url,
      uuid: () => crypto.randomUUID(),
    }
    return (text) =>
      text.replace(TOKEN, (token, bare?: string, name?: string, days?: string) => {
        if (name === 'day') return addDays(argentineDay(Date.now()), Number(days ?? 0))
        return values[bare ?? name!]?.() ?? token
      })
  }

  learn(request: FuzzRequest, target: string, answer: WireAnswer): void {
    // Only what was asked as its owner says anything about the account.
    const isOwn =
      request.changes.length === 0 || (answer.status < 300 && !request.changes.includes(OTHERS_KEY))
    if (isOwn) learn(this.accountOf(request), target, answer)
  }

  /** New accounts in place of those whose session is over. */
  async revive(): Promise<void> {
    const { session } = this.accounts
    for (const [index, account] of session.entries()) {
      if (account.ended) session[index] = await openAccount(this.place, 2)
    }
  }

  private accountOf({ needs, account }: FuzzRequest): FuzzAccount {
    const accounts = this.accounts[needs ?? 'key']
    return accounts[account % accounts.length]!
  }
}

async function openMany(place: Place, count: number, keys: number): Promise<FuzzAccount[]> {
  const accounts: FuzzAccount[] = []
  while (accounts.length < count) {
    const size = Math.min(AT_ONCE, count - accounts.length)
    accounts.push(
      ...(await Promise.all(Array.from({ length: size }, () => openAccount(place, keys)))),
    )
  }
  return accounts
}
