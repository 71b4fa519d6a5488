import { describe, expect, it } from 'vitest'
import { hashKey } from '../../../../shared/access/api-key.ts'
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../../shared/db/accounts/api-keys.ts'
import { deleteAccount } from '../../../../shared/db/delete-account.ts'
import { findAccount } from '../../../../shared/db/accounts/accounts.ts'
import { importInheritedKeys } from '../../../../shared/db/accounts/inherited-keys.ts'
import { readPredecessorFile } from '../../../../tools/operate/admin/import-v1.ts'
import { openEdge } from '../../../support/edge.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { random } from '../../../support/random.ts'
import { readRows } from '../../../support/rows.ts'

const NOW = art('2026-03-02 12:00')
const EMAIL = 'ana@ejemplo.com.ar'
const db = env.DB

const PLAIN = ['v1-uno', 'v1-dos', 'TRES==', 'cuatro.4', 'cinco', 'seis', "si'ete"]
const FILE = {
  accounts: [
    {
      email: 'Ana@Ejemplo.com.ar',
      keys: [
        ...PLAIN.map((key) => ({ name: key.slice(0, 4), key, createdAt: '2024-05-01T10:00:00Z' })),
        { name: 'por hash', sha256: 'AB'.repeat(32), createdAt: '2024-05-01' },
      ],
    },
    { email: 'eva@ejemplo.com.ar' },
  ],
}

const importFile = async (file: object = FILE) =>
  importInheritedKeys(env.DB, await readPredecessorFile(JSON.stringify(file), NOW), {
    now: NOW,
    random,
  })

async function statusOf(key: string): Promise<number> {
  const response = await openEdge({ now: NOW }).fetch('/api/v2/usd/blue/history', {
    headers: { 'x-api-key': key },
  })
  return response.status
}

const keysOf = async (email: string) => listKeys(db, (await findAccount(db, email))!.id)

const NOTHING = { accountsMade: 0, keysImported: 0, keysTaken: 0 }

describe('an import of v1', () => {
  it('brings accounts and keys of any shape, more than five, and all work', async () => {
    expect(await importFile()).toEqual({
      ...NOTHING,
      accountsMade: 2,
      accountsKnown: 0,
      keysImported: 8,
      keysKnown: 0,
    })

    for (const key of PLAIN) expect(await statusOf(key)).toBe(200)
    const keys = await keysOf(EMAIL)
    expect(keys).toHaveLength(8)
    expect(keys).toContainEqual({
      id: expect.any(String),
      name: 'v1-u',
      prefix: 'v1',
      inherited: true,
      createdAt: Date.UTC(2024, 4, 1, 10),
      lastUsedDay: '2026-03-02',
    })
    expect(keys.map(({ prefix }) => prefix)).toContain('sha256:abababab')

    const stored = JSON.stringify(await readRows('apiKeys'))
    expect(stored).toContain(await hashKey('cuatro.4'))
    for (const key of ['cuatro.4', 'cinco', "si'ete"]) expect(stored).not.toContain(`"${key}"`)
    const accountId = (await findAccount(db, EMAIL))!.id
    expect(await createKey(db, { accountId, name: 'x', now: NOW, random })).toMatchObject({
      refusal: 'key_limit',
    })
  })

  it('finishes one that was cut short', async () => {
    const [{ email, keys }] = FILE.accounts as [(typeof FILE.accounts)[0]]
    await importFile({ accounts: [{ email, keys: keys!.slice(0, 3) }] })
    const counts = { accountsMade: 1, accountsKnown: 1, keysImported: 5, keysKnown: 3 }
    expect(await importFile()).toEqual({ ...NOTHING, ...counts })
    expect(await keysOf(EMAIL)).toHaveLength(8)
  })

  it('does nothing a second time, not even to keys rotated or revoked since', async () => {
    await importFile()
    const accountId = (await findAccount(db, EMAIL))!.id
    const [first, second] = await keysOf(EMAIL)
    await revokeKey(db, { accountId, keyId: first!.id })
    const { id: keyId, prefix: seenPrefix } = second!
    await rotateKey(db, { accountId, keyId, seenPrefix, random })
    const before = await keysOf(EMAIL)

    expect(await importFile()).toEqual({ ...NOTHING, accountsKnown: 2, keysKnown: 8 })
    expect(await keysOf(EMAIL)).toEqual(before)
  })

  it('leaves out a key that another account has, each time', async () => {
    const file = {
      accounts: [
        { email: EMAIL, keys: [{ key: 'compartida' }] },
        { email: 'eva@ejemplo.com.ar', keys: [{ key: 'compartida' }] },
      ],
    }
    expect(await importFile(file)).toMatchObject({ keysImported: 1, keysTaken: 1 })
    expect(await importFile(file)).toMatchObject({ keysImported: 0, keysKnown: 1, keysTaken: 1 })
  })

  it('begins again after the account was deleted, marks and all', async () => {
    await importFile()
    await deleteAccount(db, (await findAccount(db, EMAIL))!.id)
    expect(await importFile()).toMatchObject({ accountsMade: 1, keysImported: 8 })
  })
})

/** A file with one key. */
const one = (key: object) => JSON.stringify({ accounts: [{ email: EMAIL, keys: [key] }] })

it.each([
  ['{', 'the file is not JSON'],
  ['{}', 'the file is not of v1: accounts '],
  ['{"accounts":[{"email":"ana"}]}', 'accounts[0].email is no e-mail address'],
  [one({ name: 'x' }), 'accounts[0].keys[0] has neither key nor sha256'],
  [one({ sha256: 'abc' }), 'accounts[0].keys[0].sha256 is not 64 hexadecimal digits'],
  [one({ key: 'x', createdAt: '2024-05-01T10:00:00' }), 'createdAt'],
  [one({ key: 'una clave' }), 'accounts[0].keys[0]: no header can carry this key'],
  [one({ key: 'a', sha256: '0'.repeat(64) }), 'sha256 is not that of key'],
])('a file %s is refused, without a word of a key', async (text, message) => {
  const error = await readPredecessorFile(text, NOW).catch(String)
  expect(error).toContain(message)
  expect(error).not.toContain('una clave')
})
