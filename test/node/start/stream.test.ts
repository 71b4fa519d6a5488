import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAIRS } from '../../../shared/catalog.ts'
import { MAX_PER_CLIENT } from '../../../workers/edge/stream/hub.ts'
import { type EventReader, openEvents } from '../support/event-stream.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService(['--demo'])
})
afterAll(() => service[Symbol.asyncDispose]())

const open = (query = '', lastEventId?: string): Promise<EventReader> =>
  openEvents(`${service.url}/api/v2/stream${query}`, lastEventId)

it('sends every pair at connect, as the API has it', async () => {
  const stream = await open()
  await expect.poll(() => stream.events.length).toBe(PAIRS.length)
  const blue = stream.events.find(({ data }) => data['name'] === 'Dólar Blue')!
  const quote = await (await service.get('/api/v2/usd/blue')).json()

  expect(blue.data).toEqual(quote)
  expect(stream.response.headers.get('X-Service-Mode')).toBe('demo')
  stream.close()
})

it('tells of a change within seconds of the cycle, and only of the pairs that were asked', async () => {
  const stream = await open('?pairs=usd/cripto,usd/blue')
  await expect.poll(() => stream.events.length).toBe(2)
  const before = new Map(stream.events.map(({ data }) => [data['name'], data['sell']]))

  while (stream.events.length === 2) await service.cycle()
  const changes = stream.events.slice(2)
  for (const { data } of changes) {
    expect(['Dólar Cripto', 'Dólar Blue']).toContain(data['name'])
    expect(data['sell']).not.toBe(before.get(data['name']))
    expect(Date.now() - Date.parse(data['updatedAt'] as string)).toBeLessThan(10_000)
  }
  stream.close()
}, 60_000)

it('goes on after the last event seen, also after a restart', async () => {
  const whole = await open()
  await expect.poll(() => whole.events.length).toBe(PAIRS.length)
  whole.close()
  const middle = await open('', whole.events[9]!.id)
  await expect.poll(() => middle.events.length).toBe(PAIRS.length - 10)
  expect(middle.events).toEqual(whole.events.slice(10))
  middle.close()

  const { stateDir } = service
  await service.stop()
  service = await startService(['--demo'], { stateDir })
  const after = await open('', whole.events.at(-1)!.id)
  await expect.poll(after.comments, { timeout: 20_000 }).toBeGreaterThan(0)
  const last = whole.events.at(-1)!.id
  // Only what the first cycle of the new start changed: nothing seen comes twice.
  for (const { id } of after.events) {
    expect(Number(id.split('-')[0])).toBeGreaterThan(Number(last.split('-')[0]))
  }
  after.close()
}, 90_000)

it('bounds the streams of an address, and frees the place of those who left', async () => {
  const streams = await Promise.all(Array.from({ length: MAX_PER_CLIENT }, () => open()))
  const free = streams.filter(({ response }) => response.ok)
  const refused = await service.get('/api/v2/stream')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('30')
  expect(await refused.json()).toEqual({
    error: 'Hay demasiadas conexiones abiertas desde tu dirección',
  })

  for (const stream of free) stream.close()
  await expect
    .poll(
      async () => {
        const stream = await open()
        stream.close()
        return stream.response.status
      },
      { timeout: 40_000, interval: 1000 },
    )
    .toBe(200)
}, 90_000)
