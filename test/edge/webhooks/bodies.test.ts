import { describe, expect, it } from 'vitest'
import { aBody, openClient, WEBHOOKS } from '../../support/webhook-client.ts'
import { readJson } from '../../../workers/edge/management/json-body.ts'
import { readRows } from '../../support/rows.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const good = JSON.stringify(aBody())

describe('a body', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"'],
    ['application/merge-patch+json'],
  ])('of type %s is read', async (type) => {
    const client = await openClient()
    const headers = { 'Content-Type': type }
    expect((await client.send('POST', WEBHOOKS, { body: good, headers })).status).toBe(201)
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    ['text/json'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-16'],
  ])('of type %s is 415', async (type) => {
    await refuses(415, good, { 'Content-Type': type })
  })

  it('of a type with 30 KB of spaces is 415, at once', async () => {
    const type = `application/json; charset=${' '.repeat(30_000)}x y`
    const since = performance.now()
    const request = new Request('https://x/', {
      method: 'POST',
      body: good,
      headers: { 'Content-Type': type },
    })
    await expect(readJson(request)).rejects.toMatchObject({ status: 415 })
    expect(performance.now() - since).toBeLessThan(200)
  })

  it('without a type is 415', async () => {
    await refuses(415, new TextEncoder().encode(good))
  })

  it.each<[string, string]>([
    ['nothing', ''],
    ['not JSON', '{"operationId":'],
    ['two values', `${good}${good}`],
    ['null', 'null'],
    ['an array', `[${good}]`],
    ['a string', JSON.stringify(good)],
    ['a byte order mark', `\ufeff${good}`],
    ['an empty object', '{}'],
    ['a key twice', good.replace('{', '{"enabled":false,')],
    ['a key twice, once escaped', good.replace('{', '{"\\u0065nabled":false,')],
    ['an unknown field', good.replace('{', '{"name":"x",')],
    ['__proto__', good.replace('{', '{"__proto__":{"url":"x"},')],
    ['constructor', good.replace('{', '{"constructor":1,')],
    ['a field of the webhook', good.replace('{', '{"state":"active",')],
  ])('that is %s is 400', async (_, body) => {
    await refuses(400, body, JSON_TYPE)
  })

  it('that ends before it should is 400', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"operationId":'))
        controller.error(new Error('the sender is gone'))
      },
    })
    await refuses(400, body, JSON_TYPE)
  })

  it('that is not UTF-8 is 400', async () => {
    const bytes = new TextEncoder().encode(good.replace('una-ruta', 'X'))
    bytes[bytes.indexOf('X'.charCodeAt(0))] = 0xff
    await refuses(400, bytes, JSON_TYPE)
  })

  it.each([
    ['operationId', undefined],
    ['operationId', ''],
    ['operationId', 'AAAAAAAA-0000-4000-8000-000000000000'],
    ['operationId', '{00000000-0000-4000-8000-000000000000}'],
    ['operationId', 1],
    ['url', undefined],
    ['url', null],
    ['url', ['https://receptor.example/']],
    ['currency', 'usd'],
    ['currency', 'GBP'],
    ['currency', undefined],
    ['origin', 'blue'],
    ['origin', undefined],
    ['enabled', 'true'],
    ['enabled', null],
    ['enabled', 1],
    ['receiverAuthorization', ''],
    ['receiverAuthorization', null],
    ['receiverAuthorization', ' Bearer x'],
    ['receiverAuthorization', 'Bearer x '],
    ['receiverAuthorization', 'Bearer\r\nX: y'],
    ['receiverAuthorization', 'contraseña'],
    ['receiverAuthorization', 'x'.repeat(2049)],
  ])('with %s %j is 400', async (field, value) => {
    await refuses(400, JSON.stringify({ ...aBody(), [field]: value }), JSON_TYPE)
  })

  it.each(['x', 'Bearer two words', '!"#$%&/()=?', 'x'.repeat(2048)])(
    'with receiverAuthorization "%s" is taken',
    async (receiverAuthorization) => {
      const client = await openClient()
      expect((await client.create({ receiverAuthorization })).status).toBe(201)
    },
  )

  it.each([undefined, '1', 0, -1, 1.5, null, 2 ** 53, true])(
    'of a mutation with version %j is 400',
    async (version) => {
      const client = await openClient()
      const { id } = (await client.create()).body.webhook
      const path = `${WEBHOOKS}/${id}`

      for (const answer of [
        await client.call('PATCH', path, { version, enabled: false }),
        await client.call('DELETE', path, { version }),
        await client.call('POST', `${path}/rotate-secret`, { version }),
      ])
        expect(answer.status).toBe(400)
    },
  )

  it('of a mutation with an unknown field is 400', async () => {
    const client = await openClient()
    const { id } = (await client.create()).body.webhook
    const path = `${WEBHOOKS}/${id}`
    const body = { version: 1, force: true }

    expect((await client.call('PATCH', path, body)).status).toBe(400)
    expect((await client.call('DELETE', path, body)).status).toBe(400)
    expect((await client.call('POST', `${path}/rotate-secret`, body)).status).toBe(400)
    expect((await client.call('POST', `${path}/test`, { version: 1 })).status).toBe(400)
    expect((await client.call('POST', `${path}/test`, [])).status).toBe(400)
    expect((await client.read(id)).body.webhook.version).toBe(1)
  })
})

describe('a body’s size', () => {
  it('of 16,384 bytes is read', async () => {
    const client = await openClient()
    const body = good + ' '.repeat(16_384 - good.length)
    expect((await client.send('POST', WEBHOOKS, { body, headers: JSON_TYPE })).status).toBe(201)
  })

  it.each([
    ['of JSON', good + ' '.repeat(16_385 - good.length), JSON_TYPE],
    ['of no JSON', '{'.repeat(16_385), JSON_TYPE],
    ['of another type', 'x'.repeat(20_000), { 'Content-Type': 'text/plain' }],
    ['in bytes, not characters', good + '\u2003'.repeat(6_000), JSON_TYPE],
  ])('over that is 413: %s', async (_, body, headers) => {
    await refuses(413, body, headers)
  })

  it('is counted while it streams, whatever the sender says of it', async () => {
    let pulled = 0
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1
        if (pulled > 200) controller.close()
        else controller.enqueue(new TextEncoder().encode(' '.repeat(1000)))
      },
    })
    await refuses(413, body, JSON_TYPE)
    expect(pulled).toBeLessThan(30)
  })
})

async function refuses(status: number, body: BodyInit, headers: Record<string, string> = {}) {
  const client = await openClient()
  const answer = await client.send('POST', WEBHOOKS, { body, headers })

  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.any(String) })
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(await readRows('subscriptions')).toEqual([])
}
