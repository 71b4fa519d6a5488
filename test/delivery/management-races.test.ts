/** What owners and operators do while a delivery is being sent. */
import { expect, it } from 'vitest'
import { editSubscription, rotateSecret } from '../../shared/subscriptions/edit.ts'
import { webhooks } from '../../shared/subscriptions/webhooks.ts'
import { openField } from '../../shared/subscriptions/sealed-fields.ts'
import { resealSubscriptions } from '../../tools/operate/admin/reseal.ts'
import { removeSubscription } from '../../shared/db/change-subscription.ts'
import { openKeyring, isSealedWithCurrent } from '../../shared/crypto/sealed-box.ts'
import { sign } from '../../workers/delivery/attempt/headers.ts'
import {
  insertDelivery,
  keyring,
  management,
  readDeliveries,
  readDelivery,
  readOutstanding,
  readWebhook,
  SECRET,
  seedQuote,
  seedWebhook,
} from '../support/webhooks.ts'
import { type Post, createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'
import { countRows, readRows } from '../support/rows.ts'

const both = openKeyring(`next:${btoa('n'.repeat(32))},${env.KEY_ENCRYPTION_KEYS}`)

it.each([204, 500])(
  'an edit while a sync is in flight (answered %i): the new sync follows at once, and then the secret can be rotated',
  async (code) => {
    await seedQuote('usd/blue', 1410, 1430)
    const id = await seedWebhook({ sync: 'made' })
    const first = await insertDelivery(id, { type: 'sync' })
    const fixture = createFixture(async () => {
      if (fixture.posts.length > 1) return 204
      expect((await edit(id, { url: 'https://otro.example.com/' })).ok).toBe(true)
      await fixture.sweep()
      await fixture.drain()
      expect(fixture.posts).toHaveLength(1)
      expect(await rotate(id, 2)).toEqual({ ok: false, refusal: 'send_in_flight' })
      return code
    })
    await fixture.hint(first)
    expect((await readDeliveries()).map(({ status }) => status)).toEqual([
      code === 204 ? 'delivered' : 'cancelled',
      'delivered',
    ])
    expect(fixture.posts[1]).toMatchObject({ host: 'otro.example.com' })
    expect(await readWebhook(id)).toMatchObject({ sync: null })

    const rotated = await rotate(id, 2)
    if (!rotated.ok) throw new Error(JSON.stringify(rotated.refusal))
    await fixture.hint(await insertDelivery(id, { revision: 2 }))
    for (const [index, secret] of [SECRET, SECRET, rotated.value.secret].entries()) {
      const post = fixture.posts[index]!
      expect(post.headers['X-Service-Signature']).toBe(await signatureOf(post, secret))
    }
  },
)

it('resealing while a delivery is in flight keeps its outcome and the secret', async () => {
  const id = await seedWebhook({ authorization: 'Bearer uno' })
  const first = await insertDelivery(id)
  const fixture = createFixture(
    async () => {
      if (fixture.posts.length === 1)
        expect(await resealSubscriptions(env.DB, both)).toMatchObject({ resealed: 1 })
      return 204
    },
    { keyring: () => both },
  )
  await fixture.hint(first)
  expect(await readDelivery(first)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(isSealedWithCurrent(both, (await readWebhook(id)).secretSealed)).toBe(true)

  await fixture.hint(await insertDelivery(id))
  for (const post of fixture.posts)
    expect(post.headers).toMatchObject({
      Authorization: 'Bearer uno',
      'X-Service-Signature': await signatureOf(post),
    })
  expect(fixture.posts).toHaveLength(2)
})

it('resealing during a rotation never brings the old secret back, and seals the other fields', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await seedWebhook()
    const [rotated] = await Promise.all([rotate(id, 1, both), resealSubscriptions(env.DB, both)])
    if (!rotated.ok) throw new Error(JSON.stringify(rotated.refusal))

    const { urlSealed, secretSealed } = await readWebhook(id)
    expect(await openField(both, id, 'secret', secretSealed)).toBe(rotated.value.secret)
    expect(isSealedWithCurrent(both, urlSealed!)).toBe(true)
  }
})

it('a deletion at any moment of a claim leaves no row and frees its capacity', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await seedWebhook()
    const rows = [await insertDelivery(id), await insertDelivery(id, { type: 'manual' })]
    const fixture = createFixture(() => (round % 2 ? 500 : 204))
    const work = [() => fixture.hint(...rows), () => remove(id), () => rotate(id)]
    const turned = [...work.slice(round % 3), ...work.slice(0, round % 3)]
    await Promise.all(turned.map((start) => start()))
    const left = (await readRows('subscriptions', { id }))[0]
    if (left) await remove(id, left.version)

    for (const row of rows) expect(await countRows('deliveries', { id: row })).toBe(0)
    expect(await readOutstanding()).toBe(0)
  }
})

function edit(id: string, changes: object) {
  const own = { accountId: 'account', id }
  return editSubscription(management(), webhooks, own, { version: 1, ...changes })
}

function remove(id: string, version = 1) {
  return removeSubscription(env.DB, { id, accountId: 'account', version }, 'webhook')
}

function rotate(id: string, version = 1, ring = keyring()) {
  const own = { id, accountId: 'account', version }
  return rotateSecret(management({ keyring: ring }), webhooks, own)
}

function signatureOf({ headers, body }: Post, secret = SECRET): Promise<string> {
  return sign(secret, Number(headers['X-Service-Timestamp']), body)
}
