import { expect, it } from 'vitest'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../../shared/db/accounts.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { randomBytes as random } from '../../../../tools/support/random.ts'

const db = env.DB
const now = art('2026-03-02 12:00')

it('makes none for an account that is not there', async () => {
  const order = { accountId: 'nadie', name: 'x', now, random }
  expect(await createKey(db, order)).toEqual({ ok: false, refusal: 'account_not_found' })
})

it('changes no key of another account', async () => {
  const ana = await seedAccount()
  const eva = await seedAccount('eva@ejemplo.com.ar')
  const foreign = { accountId: eva.accountId, keyId: ana.record.id }
  const rotation = { ...foreign, seenPrefix: ana.record.prefix, random }

  expect(await rotateKey(db, rotation)).toEqual({ ok: false, refusal: 'key_not_found' })
  expect(await revokeKey(db, foreign)).toEqual({ ok: false, refusal: 'key_not_found' })
  expect(await listKeys(db, eva.accountId)).toEqual([eva.record])
  expect(await listKeys(db, ana.accountId)).toEqual([ana.record])
})
