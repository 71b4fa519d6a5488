import { expect, it } from 'vitest'
import { normalizeEmail } from '../../../../shared/mail.ts'
import { createAccount, listAccounts } from '../../../../tools/operate/admin/account.ts'
import { deleteAccount, openDatabase } from '../../../../shared/db/accounts.ts'
import { importMarks, notices, openDeliveries } from '../../../../shared/db/schema.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { randomBytes as random } from '../../../../tools/support/random.ts'
import { insertDelivery, seedWebhook, setOutstanding } from '../../../support/webhooks.ts'
import { readRows } from '../../../support/rows.ts'

const db = openDatabase(env.DB)
const now = art('2026-03-02 12:00')

it.each([
  ['Ana@Ejemplo.COM', 'ana@ejemplo.com'],
  [' ana@ejemplo.com ', 'ana@ejemplo.com'],
  ["o'hara+x@ejemplo.com.ar", "o'hara+x@ejemplo.com.ar"],
  ['ana', null],
  ['ana@ejemplo', null],
  ['ana@@ejemplo.com', null],
  ['a b@ejemplo.com', null],
  ['ana@ejemplo.com\r\nBcc: x@y.z', null],
  [`${'a'.repeat(250)}@b.com`, null],
])('the address %j is kept as %j', (text, email) => expect(normalizeEmail(text)).toBe(email))

it('makes one account for concurrent requests', async () => {
  const order = { email: 'ana@ejemplo.com', now, random }
  const made = await Promise.all(Array.from({ length: 5 }, () => createAccount(env.DB, order)))

  const [account, ...others] = made.filter((one) => one !== null)
  expect(others).toEqual([])
  expect(await listAccounts(env.DB)).toEqual([{ ...account, email: order.email, createdAt: now }])
})

it('deletes everything of the account and nothing else, and frees its capacity', async () => {
  const ana = await seedAccount()
  const eva = await seedAccount('eva@ejemplo.com.ar')
  for (const { accountId } of [ana, eva]) await seedBelongings(accountId)
  await setOutstanding(10)

  expect(await deleteAccount(env.DB, ana.accountId)).toEqual({ ok: true, value: null })

  for (const table of ['subscriptions', 'apiKeys', 'importMarks'] as const) {
    const owners = (await readRows(table)).map(({ accountId }) => accountId)
    expect(new Set(owners)).toEqual(new Set([eva.accountId]))
  }
  const webhooks = (await readRows('deliveries')).map(({ subscriptionId }) => subscriptionId)
  expect(new Set(webhooks)).toEqual(new Set([`webhook-of-${eva.accountId}`]))
  expect(await db.select().from(notices)).toHaveLength(1)
  expect(await db.select().from(openDeliveries)).toMatchObject([{ id: 1, outstanding: 8 }])
  expect(await deleteAccount(env.DB, ana.accountId)).toEqual({
    ok: false,
    refusal: 'account_not_found',
  })
})

/** A webhook with a notice, two waiting deliveries and a delivered one, and an import mark. */
async function seedBelongings(accountId: string): Promise<void> {
  const subscriptionId = `webhook-of-${accountId}`
  await seedWebhook({ id: subscriptionId, accountId })
  await db.insert(notices).values({ subscriptionId, createdAt: now })
  await db.insert(importMarks).values({ accountId, kind: 'key', reference: 'x', createdAt: now })
  for (const status of ['pending', 'failed', 'delivered'] as const)
    await insertDelivery(subscriptionId, { status })
}
