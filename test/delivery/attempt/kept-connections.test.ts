import { describe, expect, it, vi } from 'vitest'
import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import type { Connection } from '../../../workers/delivery/attempt/transport/connection.ts'
import { KeepingHosts } from '../../../workers/delivery/attempt/transport/keeping-hosts.ts'
import {
  KeptConnections,
  REST_MS,
  TRIAL_MS,
} from '../../../workers/delivery/attempt/transport/kept-connections.ts'
import { createPinnedTransport } from '../../../workers/delivery/attempt/transport/pinned.ts'
import { art } from '../../support/instant.ts'

/** A connection whose response has ended, until `speak`. */
class FakeConnection {
  bodyState = 'ended'
  isSilent = true
  isClosed = false
  readonly #spoken = Promise.withResolvers<void>()

  speak(): void {
    this.isSilent = false
    this.#spoken.resolve()
  }

  broken = () => this.#spoken.promise
  readBody = async () => {}
  close(): void {
    this.isClosed = true
  }
}

const never = new AbortController().signal

/** Time passes only by `pass`, and for who sleeps: in steps of a millisecond. */
function createPool() {
  let now = art('2026-03-02 12:00')
  const sleepers: { until: number; wake: () => void }[] = []
  const sleep = (ms: number) =>
    new Promise<void>((wake) => void sleepers.push({ until: now + ms, wake }))
  const pass = async (ms: number) => {
    for (let step = 0; step <= ms; step += 1) {
      if (step > 0) now += 1
      for (const sleeper of sleepers.filter(({ until }) => until <= now)) {
        sleepers.splice(sleepers.indexOf(sleeper), 1)
        sleeper.wake()
      }
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    }
  }
  const hosts = new KeepingHosts({ now: () => now })
  const pool = new KeptConnections({ now: () => now, sleep, hosts })
  return {
    hosts,
    pool,
    pass,
    goBack: (ms: number) => void (now -= ms),
    offer: (key: string, one: FakeConnection, signal = never) =>
      pool.offer(key, one as unknown as Connection, signal),
    async take(...keys: string[]) {
      const taken = pool.take(keys)
      await pass(0)
      return (await taken)?.connection as unknown as FakeConnection | undefined
    },
  }
}

/** A pool that knows the receiver `a` to keep connections. */
function createTried() {
  const made = createPool()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) made.hosts.note(key, true)
  return made
}

describe('a kept connection', () => {
  it('is taken once, under its own key', async () => {
    const { offer, take } = createTried()
    const one = new FakeConnection()
    expect(await offer('a', one)).toBe(true)

    expect(await take('b')).toBe(undefined)
    expect(await take('b', 'a')).toBe(one)
    expect(await take('a')).toBe(undefined)
  })

  it('rests no longer than a second, and is closed then', async () => {
    const { offer, take, pass } = createTried()
    const [taken, old] = [new FakeConnection(), new FakeConnection()]
    await offer('a', taken)
    await pass(REST_MS - 1)
    expect(await take('a')).toBe(taken)

    await offer('a', old)
    await pass(REST_MS + 1)
    expect(await take('a')).toBe(undefined)
    expect(old.isClosed).toBe(true)
  })

  it('is not taken once the clock went back, for nobody knows how long it rests', async () => {
    const { offer, take, goBack } = createTried()
    const one = new FakeConnection()
    await offer('a', one)
    goBack(1)
    expect(await take('a')).toBe(undefined)
    expect(one.isClosed).toBe(true)
  })

  it('carries nothing for an attempt that ended while it was taken, and is closed', async () => {
    const { pool, hosts, offer, pass } = createPool()
    const key = 'r.example 192.0.2.1 443'
    hosts.note(key, true)
    const one = Object.assign(new FakeConnection(), { exchange: vi.fn() })
    await offer(key, one)
    const transport = createPinnedTransport({ connect: vi.fn(), kept: pool })
    const over = new AbortController()
    const sent = transport(
      {
        url: new URL('https://r.example/'),
        endpoints: [{ address: '192.0.2.1', port: 443 }],
        headers: {},
        body: '{}',
        isFollowed: true,
      },
      over.signal,
    )
    const ended = expect(sent).rejects.toThrow('over')
    over.abort(new Error('over'))
    await pass(0)

    await ended
    expect(one.exchange).not.toHaveBeenCalled()
    expect(one.isClosed).toBe(true)
  })

  it('is closed within a second and a quarter though nobody asks', async () => {
    const { offer, pass } = createTried()
    const one = new FakeConnection()
    await offer('a', one)
    await pass(1.25 * REST_MS + 1)
    expect(one.isClosed).toBe(true)
  })

  it('that is silent no more is closed, and none of its receiver is kept again', async () => {
    const { offer, take } = createTried()
    const one = new FakeConnection()
    await offer('a', one)
    one.speak()

    expect(await take('a')).toBe(undefined)
    expect(one.isClosed).toBe(true)
    expect(await offer('a', new FakeConnection())).toBe(false)
    expect(await offer('b', new FakeConnection())).toBe(true)
  })

  it('that speaks while it is taken is not used', async () => {
    const { pool, offer, pass } = createTried()
    const one = new FakeConnection()
    await offer('a', one)
    const taken = pool.take(['a'])
    one.speak()
    await pass(0)
    expect(await taken).toBe(null)
  })

  it('makes way when the invocation may open no more, the longest unused first', async () => {
    const { pool, offer, take } = createTried()
    const kept = ['a', 'b', 'c', 'd', 'e'].map((key) => [key, new FakeConnection()] as const)
    for (const [key, one] of kept) await offer(key, one)
    await pool.using(() => take('f'))
    expect(kept.map(([, one]) => one.isClosed)).toEqual([true, false, false, false, false])
    expect(kept).toHaveLength(MAX_CONNECTIONS)
  })

  it('is closed at the end of the invocation', async () => {
    const { pool, offer } = createTried()
    const one = new FakeConnection()
    await offer('a', one)
    pool.closeAll()
    expect(one.isClosed).toBe(true)
  })

  it.each(['wrong', 'more'])('is none whose response is %s', async (bodyState) => {
    const { offer } = createTried()
    const one = Object.assign(new FakeConnection(), { bodyState, isSilent: false })
    expect(await offer('a', one)).toBe(false)
  })
})

describe('a receiver that is not known yet', () => {
  it('is kept after a tenth of a second of silence, tried once', async () => {
    const { offer, pass, take } = createPool()
    const [tried, other, later] = [new FakeConnection(), new FakeConnection(), new FakeConnection()]
    const trial = offer('a', tried)
    expect(await offer('a', other)).toBe(false)
    await pass(TRIAL_MS)
    expect(await trial).toBe(true)
    expect(await take('a')).toBe(tried)
    expect(await offer('a', later)).toBe(true)
  })

  it('is not kept when it closes before that, for ten minutes', async () => {
    const { offer, pass, hosts } = createPool()
    const one = new FakeConnection()
    const trial = offer('a', one)
    one.speak()
    await pass(0)
    expect(await trial).toBe(false)
    await pass(2000)
    expect(hosts.ask('a')).toBe('closes')
  })

  it('is asked again when the trial came to no end', async () => {
    const { offer, pass } = createPool()
    const controller = new AbortController()
    const trial = offer('a', new FakeConnection(), controller.signal)
    controller.abort()
    expect(await trial).toBe(false)

    await pass(1001)
    const again = offer('a', new FakeConnection())
    await pass(TRIAL_MS)
    expect(await again).toBe(true)
  })
})

describe('what is known of receivers', () => {
  it('is forgotten after ten minutes', () => {
    let now = art('2026-03-02 12:00')
    const hosts = new KeepingHosts({ now: () => now })
    hosts.note('a', true)
    hosts.note('b', false)
    now += 600_000 - 1
    expect([hosts.ask('a'), hosts.ask('b')]).toEqual(['keeps', 'closes'])
    now += 1
    expect([hosts.ask('a'), hosts.ask('b')]).toEqual(['unknown', 'unknown'])
  })

  it('is bounded: a thousand, the oldest forgotten first', () => {
    const hosts = new KeepingHosts({ now: () => art('2026-03-02 12:00') })
    for (let index = 0; index <= 1000; index += 1) hosts.note(`${index}`, true)
    expect([hosts.ask('1'), hosts.ask('0')]).toEqual(['keeps', 'unknown'])
  })
})
