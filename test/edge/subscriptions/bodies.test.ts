import { expect, it } from 'vitest'
import { requestHost } from '../../../shared/webhooks/destination/destination.ts'
import { aBody, openClient, openWithOne, WEBHOOKS } from '../../support/account-client.ts'
import { readJson } from '../../../workers/edge/http/json-body.ts'
import { readRows } from '../../support/rows.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const good = JSON.stringify(aBody())

it.each<[status: number, what: string, body: BodyInit, headers?: Record<string, string>]>([
  [201, 'a charset', good, { 'Content-Type': 'Application/JSON;charset="UTF-8"' }],
  [201, 'another type of JSON', good, { 'Content-Type': 'application/merge-patch+json' }],
  [415, 'a longer type', good, { 'Content-Type': 'application/jsonp' }],
  [415, 'another charset', good, { 'Content-Type': 'application/json; charset=utf-16' }],
  [415, 'no type', new TextEncoder().encode(good), {}],
  [400, 'nothing', ''],
  [400, 'a body cut short', '{"operationId":'],
  [400, 'two values', `${good}${good}`],
  [400, 'a byte order mark', `\ufeff${good}`],
  [400, 'a key twice', good.replace('{', '{"enabled":false,')],
  [400, 'a key twice, once escaped', good.replace('{', '{"\\u0065nabled":false,')],
  [400, '__proto__', good.replace('{', '{"__proto__":{"url":"x"},')],
  [400, 'bytes that are not UTF-8', notUtf8()],
  [400, 'a body whose sender is gone', endless(1, '{"operationId":')],
  [201, '16,384 bytes', good + ' '.repeat(16_384 - good.length)],
  [413, 'a byte more', good + ' '.repeat(16_385 - good.length)],
  [413, 'more that is no JSON', '{'.repeat(16_385)],
  [413, 'more of another type', 'x'.repeat(20_000), { 'Content-Type': 'text/plain' }],
  [413, 'more bytes than characters', good + '\u2003'.repeat(6_000)],
  [413, 'a stream, read no further', endless(30, ' '.repeat(1000))],
])('a creation answers %i for %s', async (status, _, body, headers = JSON_TYPE) => {
  await expectStatus(status, body, headers)
})

it('a type with 200 KB of spaces is refused with 415 without delay', async () => {
  const headers = { 'Content-Type': `application/json; charset=${' '.repeat(200_000)}x y` }
  const since = performance.now()
  const request = new Request('https://x/', { method: 'POST', body: good, headers })
  await expect(readJson(request)).rejects.toMatchObject({ status: 415 })
  expect(performance.now() - since).toBeLessThan(2000)
})

it.each([
  [400, { currency: 'CLP' }],
  [201, { receiverAuthorization: 'x'.repeat(2048) }],
  [201, { receiverAuthorization: '!"# $%&/()=?' }],
])('a creation answers %i for %j', async (status, changes) => {
  await expectStatus(status, JSON.stringify(aBody(changes)), JSON_TYPE)
})

const OWN = 'La URL no puede apuntar a este mismo servicio'

it.each([
  ['https://93.184.216.34/x', /direcciones IP$/],
  ['https://[2606:4700:4700::1111]/', /direcciones IP$/],
  ['https://127.0.0.1/', 'La dirección IP de la URL no es pública'],
  ['https://receptor.example:8443/', 'La URL debe usar el puerto 443'],
  ['https://cotizaciones.example/api', OWN],
  ['https://www.cotizaciones.example/', OWN],
  ['https://COTIZACIONES.test/api/v2/webhooks', OWN],
])('%s is refused at creation and in an edit: %s', async (url, error) => {
  const hosts = 'https://cotizaciones.example, https://www.cotizaciones.example'
  const { id, ...client } = await openWithOne({ env: { PUBLIC_ORIGIN: hosts } })
  for (const refused of [await client.create({ url }), await client.edit(id, { version: 1, url })])
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(error)])
  expect((await client.read(id)).body.webhook.version).toBe(1)
})

it('a host below ours, or one with a longer name, may be a receiver', async () => {
  const client = await openClient({ env: { PUBLIC_ORIGIN: '' } })
  await client.made({ url: 'https://hook.cotizaciones.test/' })
  await client.made({ url: 'https://otrascotizaciones.test/' })
})

it('our host is the same in every spelling', () => {
  for (const host of ['A.EXAMPLE', 'a.example.', 'a.example:8787'])
    expect(requestHost(`https://${host}/x`)).toBe('a.example')
})

/** A valid body in which one byte of the URL is not UTF-8. */
function notUtf8(): Uint8Array {
  const bytes = new TextEncoder().encode(good)
  bytes[good.indexOf('una-ruta')] = 0xff
  return bytes
}

/** Sends this many chunks, then breaks off. */
function endless(chunks: number, chunk: string): ReadableStream {
  let pulled = 0
  return new ReadableStream({
    pull(controller) {
      pulled += 1
      if (pulled > chunks) controller.error(new Error('the sender is gone'))
      else controller.enqueue(new TextEncoder().encode(chunk))
    },
  })
}

async function expectStatus(status: number, body: BodyInit, headers: Record<string, string>) {
  const client = await openClient()
  const answer = await client.send('POST', WEBHOOKS, { body, headers })

  expect(answer.status, answer.text).toBe(status)
  expect(await readRows('subscriptions')).toHaveLength(status === 201 ? 1 : 0)
  if (status === 201) return
  expect(answer.body).toEqual({ error: expect.any(String) })
}
