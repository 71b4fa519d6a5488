import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { toHex } from '../../../shared/encoding.ts'
import { sign, signStandard } from '../../../workers/delivery/attempt/headers.ts'
import { KNOWN_ID, knownAnswers } from '../../../workers/site/reference/guides/verify-samples.ts'
import { standardSecret } from '../../../shared/webhooks/webhook.ts'

const secret = '0123456789abcdef'.repeat(4)

it.each(knownAnswers)(
  'signs %s with the secret as text, with and without the id',
  async (...known) => {
    const [body, standard, own] = known
    const signed = { deliveryId: KNOWN_ID, timestamp: 1_700_000_000 }
    expect(await sign(secret, signed.timestamp, body)).toBe(own)
    expect(await signStandard(secret, signed, body)).toBe(standard)
  },
)

it('makes the same signature as the Standard Webhooks library for any secret, id, time and body', async () => {
  const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
  const timestamps = fc.integer({ min: 1_600_000_000, max: 4_000_000_000 })
  const bodies = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
  const property = fc.asyncProperty(
    hex,
    fc.uuid({ version: 7 }),
    timestamps,
    bodies,
    async (key, id, timestamp, text) => {
      const made = await signStandard(key, { deliveryId: id, timestamp }, text)
      const theirs = new Webhook(standardSecret(key))
      expect(made).toBe(theirs.sign(id, new Date(timestamp * 1000), text))
    },
  )
  await fc.assert(property, { numRuns: 15 })
})
