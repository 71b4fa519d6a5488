import { beforeEach, expect, it } from 'vitest'
import {
  formatArgentine,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import type { BoardQuote } from '../../../shared/board/board.ts'
import { findPairByKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { parseCursor, START } from '../../../workers/edge/stream/events.ts'
import {
  BUFFER_BYTES,
  LIFETIME_MS,
  MAX_PER_CLIENT,
  MAX_PER_WIDE_CLIENT,
  MAX_STREAMS,
  QuoteHub,
} from '../../../workers/edge/stream/hub.ts'
import { NOON } from '../../support/instant.ts'
import { aBoard, aBoardQuote } from '../../support/board.ts'

const later = (cycles: number) => NOON + cycles * 5 * MINUTE_MS

const aQuote = (key: PairKey, at: Instant, sell = 1430) =>
  aBoardQuote(key, { updatedAt: formatArgentine(at), lastScrapedAt: formatArgentine(at), sell })

let hub: QuoteHub
beforeEach(() => {
  hub = new QuoteHub()
})

const publish = (at: Instant, ...quotes: BoardQuote[]) => hub.publish(aBoard(at, { quotes }), at)

/** A client that reads all waiting bytes. */
function connect(
  keys: PairKey[] = ['USD/BLUE'],
  { client = 'a', now = NOON, gone = new AbortController() } = {},
) {
  const pairs = keys.map((key) => findPairByKey(key)!)
  const opened = hub.open({ client, pairs, after: START, gone: gone.signal }, now)
  if (!opened.ok) throw new Error(opened.refusal)
  const reader = opened.value.getReader()

  async function read(): Promise<string> {
    const { value } = await reader.read()
    return value ? new TextDecoder().decode(value) : ''
  }
  return { reader, read }
}

/** Connects, and skips the first lines: the retry time, and values if there are any. */
async function listen(...asked: Parameters<typeof connect>) {
  const client = connect(...asked)
  expect(await client.read()).toBe('retry: 3000\n\n')
  return { ...client, first: hub.board ? await client.read() : '' }
}

/** A client: one of the /64 in 2001:db8:1::/48. */
const of = (network: number) => ({ client: `2001:db8:1:${network.toString(16)}::/64` })

const idOf = (text: string) => /^id: (.*)$/m.exec(text)?.[1] ?? null
const sellOf = (text: string) =>
  (JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as { sell: number }).sell
const blue = (at: Instant, sell = 1430) => aQuote('USD/BLUE', at, sell)
const bna = (at: Instant) => aQuote('USD/BNA', at)
const revise = (sell: number, historyRevision: number, at = NOON) =>
  hub.publish(aBoard(at, { quotes: [blue(at, sell)], historyRevision }), NOON)

it('a stream begins with the value of each of its pairs, and its change of the day', async () => {
  publish(NOON, bna(NOON), blue(NOON), aQuote('EUR/BLUE', NOON))
  const { first } = await listen(['USD/BLUE', 'EUR/BLUE'])

  const events = first.split('\n\n').slice(0, -1)
  expect(events.map(idOf)).toEqual([`${NOON}-3`, `${NOON}-12`])
  expect(events[0]).toContain('event: quote\ndata: {"currency":"USD","name":"Dólar Blue"')
  expect(events[0]).toContain('"change":{"amount":30,"percent":2.14,"referenceValue":1400}')
  const tomorrow = await listen(['USD/BLUE'], { now: NOON + 12 * HOUR_MS })
  expect(tomorrow.first).toContain('"change":{"amount":0,')
})

it('a stream sends each change of its pairs, but no other pair and no mere confirmation', async () => {
  const { read } = await listen()
  publish(NOON, blue(NOON))
  expect(idOf(await read())).toBe(`${NOON}-3`)

  const confirmed = { ...blue(NOON), lastScrapedAt: formatArgentine(later(1)) }
  publish(later(1), bna(later(1)), confirmed)
  publish(later(2), blue(later(2), 1440))
  const text = await read()
  expect([idOf(text), sellOf(text)]).toEqual([`${later(2)}-3`, 1440])
})

it('a stream sends heartbeats, and ends after a quarter of an hour with when to reconnect', async () => {
  const { read, reader } = await listen()
  hub.beat(NOON + LIFETIME_MS - 1)
  expect(await read()).toBe(':\n\n')

  hub.beat(NOON + LIFETIME_MS)
  expect(await read()).toBe('retry: 3000\n\n')
  expect((await reader.read()).done).toBe(true)
  expect(hub.size).toBe(0)
})

it.each([null, 'x', '-1-3', `${'9'.repeat(30)}-3`, `${NOON + 1}-3`])(
  'a last id of %j starts the stream from the beginning',
  (id) => {
    expect(parseCursor(id, NOON)).toEqual(START)
  },
)

it.each([
  ['of the value in effect', blue(later(1), 1440)],
  ['that takes it away', blue(NOON)],
])(
  'a correction %s is sent once to each client that has the wrong value, and moves no cursor',
  async (_, corrected) => {
    publish(later(1), bna(NOON), blue(later(1), 1999))
    const { read, first } = await listen(['USD/BNA', 'USD/BLUE'])
    expect(first).toContain('"sell":1999')
    const other = await listen(['USD/BNA'], { client: 'b' })

    publish(later(2), bna(NOON), corrected)
    const text = await read()
    expect([idOf(text), sellOf(text)]).toEqual([null, corrected.sell])
    expect(text).not.toContain('BNA')

    // A value after the correction is an ordinary change.
    publish(later(3), bna(NOON), corrected)
    publish(later(4), bna(NOON), blue(later(4), 1450))
    expect(idOf(await read())).toBe(`${later(4)}-3`)
    hub.beat(NOON)
    expect(await other.read()).toBe(':\n\n')
  },
)

it('a correction during a cycle comes with a second board of that cycle; older boards are refused', async () => {
  expect(revise(1999, 1)).toBe(true)
  const { read } = await listen()

  expect(revise(1430, 2)).toBe(true)
  expect(sellOf(await read())).toBe(1430)
  expect([revise(1430, 2), revise(1999, 1), revise(1, 3, NOON - 1)]).toEqual([false, false, false])
})

it('a correction of a pair that has changed since is not sent beside that change', async () => {
  publish(NOON, blue(NOON, 1999))
  const { read } = await listen()

  publish(later(1), blue(later(1), 1440))
  hub.beat(later(1))
  expect(idOf(await read())).toBe(`${later(1)}-3`)
  expect(await read()).toBe(':\n\n')
})

const ALL = PAIRS.map((pair) => `${pair.currency}/${pair.origin}` as PairKey)

it('streams are bounded per client and in all, and a client that leaves frees its slots', async () => {
  const open = Array.from({ length: MAX_PER_CLIENT }, () => connect())
  expect(() => connect()).toThrow('too_many_of_client')
  await open[0]!.reader.cancel()
  connect()
  expect(() => connect()).toThrow('too_many_of_client')

  for (let i = hub.size; i < MAX_STREAMS; i++) connect(['USD/BLUE'], { client: `client ${i}` })
  expect(() => connect(['USD/BLUE'], { client: 'one more' })).toThrow('too_many')
})

it('the hub probes the streams that hold a client’s slots, and no others', async () => {
  const [near, far] = [await listen(), await listen(['USD/BLUE'], { client: 'b' })]
  hub.probe('a', 'too_many_of_client')
  expect(await near.read()).toBe(':\n\n')

  hub.probe('c', 'too_many')
  expect(await near.read()).toBe(':\n\n')
  expect(await far.read()).toBe(':\n\n')
})

it('streams are bounded per IPv6 /48 as well, and every slot counts once', async () => {
  const open = Array.from({ length: MAX_PER_WIDE_CLIENT }, (_, i) => {
    const gone = new AbortController()
    return { gone, ...connect(['USD/BLUE'], { ...of(i >> 1), gone }) }
  })
  expect(() => connect(['USD/BLUE'], of(500))).toThrow('too_many_of_client')
  connect(['USD/BLUE'], { client: '2001:db8:2:0::/64' })
  connect(['USD/BLUE'], { client: '192.0.2.1' })

  // A client that leaves in two ways at once frees only one slot, and takes none afterwards.
  open[0]!.gone.abort()
  await open[0]!.reader.cancel()
  connect(['USD/BLUE'], { ...of(500), gone: open[0]!.gone })
  connect(['USD/BLUE'], of(500))
  expect(() => connect(['USD/BLUE'], of(501))).toThrow('too_many_of_client')
})

it('the hub drops a client that does not read, with its buffer, and no other client', async () => {
  const slow = connect(ALL)
  const quick = connect(['USD/BLUE'], { client: 'b' })
  await quick.read()
  let cycles = 0
  for (; hub.size === 2 && cycles < 1000; cycles++) {
    const at = later(cycles)
    publish(at, ...ALL.map((key) => aQuote(key, at)))
    await quick.read()
  }

  expect(cycles).toBeLessThan(BUFFER_BYTES / 2000)
  expect(hub.size).toBe(1)
  await expect(slow.reader.read()).rejects.toThrow('does not read')
  hub.beat(later(1))
  expect(await quick.read()).toBe(':\n\n')
})
