import { afterAll, beforeAll, expect, it } from 'vitest'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { createServer } from 'node:http'
import { listen, type Listening } from '../../../../tools/support/listen.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'

const AMBITO_BLUE = 'mercados.ambito.com/dolar/informal/variacion'
const DOLARHOY = 'dolarhoy.com/'
const BNA = 'www.bna.com.ar/Personas'
const DOLARAPI_CROSSES = 'dolarapi.com/v1/cotizaciones'

const blueAt = (sell: number) =>
  `{"compra":"1530,00","venta":"${sell},00","fecha":"21/08/2026 - 18:55"}`
/** By `HOST/PATH`, as `--upstream` requests them; a missing document is 404. */
let documents: Record<string, string> = {
  [AMBITO_BLUE]: blueAt(1550),
  [DOLARHOY]:
    '<div><div class="title"><a href="/cotizaciondolarblue">Dólar Blue</a></div><div class="compra"><div class="val">$1530</div></div><div class="venta"><div class="val">$1550</div></div></div>',
  [BNA]: `<div id="billetes"><table><tr><th class="fechaCot">21/8/2026</th></tr>
<tr><td class="tit">Dolar U.S.A</td><td>1495,00</td><td>1545,00</td></tr>
<tr><td class="tit">Real *</td><td>28500,00</td><td>30000,00</td></tr></table></div>
<div id="divisas"><table><tr><th class="fechaCot">21/8/2026</th></tr>
<tr><td class="tit">Dolar U.S.A</td><td>1515.5000</td><td>1524.5000</td></tr></table></div>`,
  [DOLARAPI_CROSSES]:
    '[{"moneda":"CLP","casa":"oficial","compra":1.6378,"venta":1.6379,"fechaActualizacion":"2026-08-21T17:10:00.000Z"}]',
}

/** The number of pairs that these documents give. */
const PAIRS = 6

let market: Listening
let service: Service

const start = (stateDir?: string) =>
  startService(
    ['--upstream', `http://127.0.0.1:${market.port}`, '--no-backfill'],
    stateDir === undefined ? {} : { stateDir },
  )

beforeAll(async () => {
  const server = createServer(({ url }, response) => {
    const body = documents[url!.slice(1)]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  market = await listen(server)
  service = await start()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await market[Symbol.asyncDispose]()
})

it('publishes the values of the recorded documents, and no others', async () => {
  expect(service.lines).toContain('mode upstream')
  expect(
    (await quotes()).map(({ currency, origin, buy, sell }) => [currency, origin, buy, sell]),
  ).toEqual([
    ['USD', 'BNA', 1495, 1545],
    ['USD', 'BLUE', 1530, 1550],
    ['USD', 'MAYORISTA', 1515.5, 1524.5],
    ['USD', 'TARJETA', 1943.5, 2008.5],
    ['BRL', 'BNA', 285, 300],
    ['CLP', 'OFICIAL', 1.6378, 1.6379],
  ])
})

/** The events of the stream after an id, as they arrive. */
async function openEvents(lastEventId = '') {
  const controller = new AbortController()
  const headers = { 'Last-Event-ID': lastEventId }
  const { body } = await service.get('/api/v2/stream', { headers, signal: controller.signal })
  const events: { id: string; sell: number }[] = []
  const parsed = body!
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  const read = async () => {
    for await (const { id, data } of parsed)
      events.push({ id: id!, sell: (JSON.parse(data) as { sell: number }).sell })
  }
  void read().catch(() => {})
  return { events, close: () => controller.abort() }
}

it('the stream continues after the last event that a client saw, also after a restart', async () => {
  const whole = await openEvents()
  await expect.poll(() => whole.events.length).toBe(PAIRS)
  whole.close()

  await service.stop()
  documents[AMBITO_BLUE] = blueAt(1560)
  service = await start(service.stateDir)
  const after = await openEvents(whole.events.at(-1)!.id)
  await expect.poll(() => after.events.length).toBe(1)
  documents[AMBITO_BLUE] = blueAt(1565)
  await service.cycle()
  await expect.poll(() => after.events.length).toBe(2)
  expect(after.events.map(({ sell }) => sell)).toEqual([1560, 1565])
  after.close()
})

it('serves the last values when every source fails, with the status down', async () => {
  const before = await quotes()
  documents = {}
  await service.cycle()

  expect(await (await service.get('/api/v2/status')).json()).toMatchObject({
    status: 'down',
    sources: expect.arrayContaining([expect.objectContaining({ lastError: 'http' })]),
  })
  expect(await quotes()).toEqual(before)
  expect(service.lines).not.toContain('mode demo')
  const logged = service.errors().trimEnd().split('\n')
  expect(logged.length).toBeGreaterThan(1)
  for (const line of logged) expect(line).toMatch(/^(\{"time":")?\d{4}-\d\d-\d\dT[\d:.]+Z/)
})

async function quotes(): Promise<
  { currency: string; origin: string; buy: number; sell: number }[]
> {
  return (await (await service.get('/api/v2/quotes')).json()) as Awaited<ReturnType<typeof quotes>>
}
