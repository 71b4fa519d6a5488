import {
  createAccount,
  findAccount,
  listAccounts,
} from '../../../../shared/db/accounts/accounts.ts'
import {
  createKey,
  findKeys,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../../shared/db/accounts/api-keys.ts'
import { importInheritedKeys } from '../../../../shared/db/accounts/inherited-keys.ts'
import { admit } from '../../../../shared/db/accounts/quotas.ts'
import { peekVerification, pruneSessions } from '../../../../workers/site/db/accounts/sessions.ts'
import { takeSignIn } from '../../../../workers/site/db/accounts/sign-in-quotas.ts'
import { deleteAccount } from '../../../../shared/db/delete-account.ts'
import { createStatusReader } from '../../../../shared/db/status.ts'
import { env } from '../../../support/env.ts'
import { random } from '../../../support/random.ts'
import { type Calls, NOW } from './fixture.ts'

const EMAIL = 'eva@ejemplo.com.ar'

export const accountCalls: Calls = {
  'accounts/accounts.ts createAccount': ({ db }) =>
    createAccount(db, { email: EMAIL, now: NOW, random }),
  'accounts/accounts.ts findAccount': ({ db }) => findAccount(db, EMAIL),
  'accounts/accounts.ts listAccounts': ({ db }) => listAccounts(db),
  // Of no account, so that the statement after the insertion runs too.
  'accounts/api-keys.ts createKey': ({ db }) =>
    createKey(db, { accountId: 'nobody', name: 'una', now: NOW, random }),
  'accounts/api-keys.ts listKeys': ({ db, accountId }) => listKeys(db, accountId),
  'accounts/api-keys.ts findKeys': ({ db, accountId }) => findKeys(db, accountId, 'abc'),
  'accounts/api-keys.ts rotateKey': ({ db, accountId, keyId }) =>
    rotateKey(db, { accountId, keyId, seenPrefix: 'another', random }),
  'accounts/api-keys.ts revokeKey': ({ db, accountId, keyId }) =>
    revokeKey(db, { accountId, keyId }),
  'accounts/inherited-keys.ts importInheritedKeys': ({ db }) =>
    importInheritedKeys(
      db,
      [{ email: EMAIL, keys: [{ name: 'v1', prefix: 'v1', hash: 'hash', createdAt: NOW }] }],
      { now: NOW, random },
    ),
  'accounts/quotas.ts admit': ({ db }) =>
    admit(db, { hash: 'hash', management: true, now: NOW, dailyBudget: 10 }),
  'site/db/accounts/sessions.ts peekVerification': ({ db }) => peekVerification(db, 'link', NOW),
  'site/db/accounts/sessions.ts pruneSessions': ({ db }) => pruneSessions(db, NOW),
  'site/db/accounts/sign-in-quotas.ts takeSignIn': ({ db }) =>
    takeSignIn(db, { quotas: [{ subject: 'who', limit: 1, windowMs: 1000 }], now: NOW }),
  'delete-account.ts deleteAccount': ({ db, accountId }) => deleteAccount(db, accountId),
  'status.ts createStatusReader': ({ db }) =>
    createStatusReader()({ BOARD: env.BOARD, DB: db }, NOW),
}
