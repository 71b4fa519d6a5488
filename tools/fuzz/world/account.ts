import { makeKey, makeWebhooks, type Place, revokeKey, signUp, type SignedUp } from './sign-up.ts'

/** An account of the service under test, and what is known to be in it. */
export interface FuzzAccount extends SignedUp {
  keys: string[]
  /** A key that worked once. */
  revoked: string
  /** Of the keys that its owner sees: id and prefix. */
  shown: Map<string, string>
  /** Versions of webhooks, by id. */
  webhooks: Map<string, number>
  operationId: string
  deliveryId: string
  cursor: string
  /** Whether its session is over. */
  ended: boolean
}

const NONE = '0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f'

/** A new account with so many keys, and one more that was revoked. */
export async function openAccount(place: Place, keyCount: number): Promise<FuzzAccount> {
  const address = Array.from(crypto.getRandomValues(new Uint8Array(4))).join('.')
  const signedUp = await signUp(place, `fuzz-${crypto.randomUUID()}@example.invalid`, address)
  const account: FuzzAccount = {
    ...signedUp,
    keys: [],
    revoked: '',
    shown: new Map(),
    webhooks: new Map(),
    operationId: NONE,
    deliveryId: NONE,
    cursor: 'v1:1',
    ended: false,
  }

  const spent = await makeKey(place, account.cookie, 'revocada')
  await revokeKey(place, account.cookie, spent.key.id)
  account.revoked = spent.secret
  for (let index = 0; index < keyCount; index++) {
    const { key, secret } = await makeKey(place, account.cookie, `clave ${index}`)
    account.keys.push(secret)
    account.shown.set(key.id, key.prefix)
  }
  for (const { id, version } of await makeWebhooks(place, account.keys))
    account.webhooks.set(id, version)
  return account
}
