import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { sign, signStandard } from '../../../workers/delivery/attempt/headers.ts'
import { standardSecret } from '../../../shared/webhooks/webhook.ts'

const secret = '0123456789abcdef'.repeat(4)

it.each([
  [
    '{"event":"rate.updated","currency":"USD","origin":"BLUE"}',
    'sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4',
  ],
  [
    '{"name":"Dólar ñandú €"}',
    'sha256=d94ed119f4845441db48a700ddc69bae8db3d3dfe321a61fb495ab58a33dfef6',
  ],
])('signs %s with the secret as text over timestamp.body', async (body, signature) => {
  expect(await sign(secret, 1_700_000_000, body)).toBe(signature)
})

it('signs every attempt anew', async () => {
  expect(await sign(secret, 1_700_000_000, '{}')).not.toBe(await sign(secret, 1_700_000_001, '{}'))
})

describe('the library of Standard Webhooks', () => {
  const library = new Webhook(standardSecret(secret))
  const deliveryId = '019a0000-0000-7000-8000-000000000001'
  const body = '{"name":"Dólar ñandú €"}'

  async function headersOf(timestamp: number, sent = body) {
    return {
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signStandard(secret, { deliveryId, timestamp }, sent),
    }
  }

  it('makes the same signature of every secret, id, time and body', async () => {
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
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

  it('takes a delivery of now, and refuses another id, body, time or secret', async () => {
    const now = Math.floor(Date.now() / 1000)
    const headers = await headersOf(now)
    expect(library.verify(body, headers)).toEqual(JSON.parse(body))

    const refused = [
      () => library.verify(body, { ...headers, 'webhook-id': `${deliveryId}2` }),
      () => library.verify(`${body} `, headers),
      () => library.verify(body, { ...headers, 'webhook-timestamp': String(now - 1) }),
      () => new Webhook(standardSecret('f'.repeat(64))).verify(body, headers),
    ]
    for (const verify of refused) expect(verify).toThrow('No matching signature')
    const old = await headersOf(now - 301)
    expect(() => library.verify(body, old)).toThrow('too old')
  })
})
