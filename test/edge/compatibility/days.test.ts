/** Days at the compatibility addresses, as the programs that loop over them ask for them. */
import { describe, expect, it, vi } from 'vitest'
import { addDays, type Day } from '../../../shared/argentine-time.ts'
import { ARCHIVE_PREFIX, archiveKey } from '../../../shared/board/archive.ts'
import {
  historyRevision,
  raiseHistoryStatement,
} from '../../../shared/db/quotes/history-revision.ts'
import { DAYS } from '../../../shared/compatibility/days.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { seedCloses } from '../../support/candles.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { seedOnce } from '../../support/open-database.ts'
import { seedPoints } from '../../support/points.ts'
import { published } from '../../support/record.ts'
import { seedBoard } from '../../support/seed.ts'
import { times } from '../../support/webhook-client.ts'
import { untouchable } from '../../support/untouchable.ts'

const NOON = art('2026-03-03 12:00:30')
const LAST = '2026-03-02'

const slashed = (day: Day) => day.replaceAll('-', '/')

function openCompatibility(more: object = { DB: untouchable }) {
  return openEdge({ now: NOON, env: { COMPATIBILITY: 'on', ...more } })
}

/** Two values a pair, sixty days and one day before today, in the nightly files. */
const seedFiles = () =>
  seedOnce('sixty days in the nightly files', async () => {
    const first = addDays(LAST, -60)
    for (const pair of ['usd/blue', 'usd/oficial', 'eur/oficial', 'eur/blue', 'arg/riesgo']) {
      await seedCloses(pair, [first, 1400, 1420.5], [LAST, 1410, 1430.25])
    }
    await runArchive(env, { now: () => art('2026-03-03 00:10') })
    await seedBoard(NOON, { historyRevision: await historyRevision(env.DB) })
  })

/** The last sixty days, as a program builds their paths. */
const sixty = Array.from({ length: 60 }, (_, back) => addDays(LAST, -back))
const valueOn = (day: Day) =>
  day === LAST ? { buy: 1410, sell: 1430.25 } : { buy: 1400, sell: 1420.5 }

describe('a program that loops over sixty days', () => {
  it.each([
    [
      'one casa',
      (day: Day) => `/v1/cotizaciones/dolares/blue/${slashed(day)}`,
      (day: Day) => {
        const { buy, sell } = valueOn(day)
        return `{\n  "casa": "blue",\n  "compra": ${buy},\n  "venta": ${sell},\n  "fecha": "${day}"\n}`
      },
    ],
    [
      'all casas',
      (day: Day) => `/v1/cotizaciones/dolares/${slashed(day)}`,
      (day: Day) => {
        const { buy: compra, sell: venta } = valueOn(day)
        const rows = ['oficial', 'blue'].map((casa) => ({ casa, compra, venta, fecha: day }))
        return JSON.stringify(rows, null, 2)
      },
    ],
    [
      'a currency',
      (day: Day) => `/v1/cotizaciones/eur/${slashed(day)}`,
      (day: Day) => {
        const { buy, sell } = valueOn(day)
        return `{\n  "moneda": "EUR",\n  "casa": "oficial",\n  "compra": ${buy},\n  "venta": ${sell},\n  "fecha": "${day}"\n}`
      },
    ],
    [
      'Bluelytics’ groups',
      (day: Day) => `/v2/historical?day=${day}`,
      (day: Day) => {
        const group =
          day === LAST
            ? '{"value_avg":1420.13,"value_sell":1430.25,"value_buy":1410.00}'
            : '{"value_avg":1410.25,"value_sell":1420.50,"value_buy":1400.00}'
        return `{"oficial":${group},"blue":${group},"oficial_euro":${group},"blue_euro":${group}}`
      },
    ],
  ])('of %s gets each, in the original’s bytes, without a database', async (_, pathOf, bodyOf) => {
    await seedFiles()
    const edge = openCompatibility()
    for (const day of sixty) {
      const response = await edge.fetch(pathOf(day))
      expect([response.status, await response.text()]).toEqual([200, bodyOf(day)])
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400')
    }
  })

  it('all at once gets each, and the file is read once', async () => {
    await seedFiles()
    const read: string[] = []
    const BOARD = {
      get: (name: string, options: never) => {
        read.push(name)
        return env.BOARD.get(name, options)
      },
    }
    const edge = openCompatibility({ DB: untouchable, BOARD })
    const responses = await Promise.all(
      sixty.map((day) => edge.fetch(`/v1/cotizaciones/dolares/blue/${slashed(day)}`)),
    )
    expect(responses.map(({ status }) => status)).toEqual(sixty.map(() => 200))
    expect(read.filter((name) => name.startsWith(ARCHIVE_PREFIX))).toHaveLength(1)
  })
})

describe('a currency’s day', () => {
  it('has no casa where the original’s file has none: before 2024-01-20', async () => {
    await seedPoints('clp/oficial', ['2024-01-19 10:00', 0.9, 0.91])
    const edge = openCompatibility({})
    expect(await (await edge.fetch('/v1/cotizaciones/clp/2024/01/19')).text()).toBe(
      '{\n  "moneda": "CLP",\n  "compra": 0.9,\n  "venta": 0.91,\n  "fecha": "2024-01-19"\n}',
    )
    expect(await (await edge.fetch('/v1/cotizaciones/clp/2024/01/20')).json()).toHaveProperty(
      'casa',
      'oficial',
    )
  })

  it('of the dollar is the official one', async () => {
    await seedFiles()
    expect(
      await (await openCompatibility().fetch('/v1/cotizaciones/usd/2026/03/01')).json(),
    ).toEqual({
      moneda: 'USD',
      casa: 'oficial',
      compra: 1400,
      venta: 1420.5,
      fecha: '2026-03-01',
    })
  })
})

describe('where the nightly file cannot say', () => {
  const path = `/v1/cotizaciones/dolares/blue/${slashed(LAST)}`
  const sellOf = async (edge = openCompatibility({})) =>
    ((await (await edge.fetch(path)).json()) as { venta: number }).venta

  it('as after a correction, the database answers until the file is made again', async () => {
    await seedFiles()
    await seedPoints('usd/blue', [`${LAST} 11:00`, 1, 2])
    const revision = await historyRevision(env.DB)
    expect(await sellOf()).toBe(1430.25)

    await seedBoard(NOON, { historyRevision: revision + 1 })
    expect(await sellOf()).toBe(2)
  })

  it('as without a board of KV, the database answers', async () => {
    await seedFiles()
    await seedPoints('usd/blue', [`${LAST} 11:00`, 1, 2])
    await env.BOARD.delete('board')
    expect(await sellOf()).toBe(2)
  })

  it('as before the night’s files are made, the database answers for the day that ended', async () => {
    await seedFiles()
    await seedPoints('usd/blue', ['2026-03-03 11:00', 1, 2])
    const edge = openCompatibility({})
    edge.clock.now = art('2026-03-04 00:05')
    await seedBoard(edge.clock.now, { historyRevision: 0 })
    const response = await edge.fetch('/v1/cotizaciones/dolares/blue/2026/03/03')
    expect(await response.json()).toMatchObject({ venta: 2 })
  })

  it('as when it is missing or no text of days, the database answers', async () => {
    await seedFiles()
    await seedPoints('usd/blue', [`${LAST} 11:00`, 1, 2])
    const key = archiveKey((await published()).files.find(({ name }) => name === DAYS)!)
    await env.BOARD.put(key, 'x')
    expect(await sellOf()).toBe(2)
    await env.BOARD.delete(key)
    expect(await sellOf()).toBe(2)
  })

  it('a file of another night is read after half a minute', async () => {
    await seedFiles()
    const edge = openCompatibility({})
    expect(await sellOf(edge)).toBe(1430.25)

    await seedCloses('usd/blue', [LAST, 1, 3])
    await raiseHistoryStatement(env.DB).run()
    await runArchive(env, { now: () => art('2026-03-03 00:40') })
    expect(await sellOf(edge)).toBe(1430.25)
    edge.clock.now += 30_000
    expect(await sellOf(edge)).toBe(3)
  })
})

const ask = (edge: ReturnType<typeof openCompatibility>, path: string, address = '198.51.100.7') =>
  edge.fetch(path, { headers: { 'CF-Connecting-IP': address } })
const statusesWith = async (limit: () => Promise<RateLimitOutcome>) => {
  const edge = openCompatibility({ COMPATIBILITY_DAYS: { limit } })
  const path = '/v2/historical?day=2026-03-01'
  return [(await ask(edge, path)).status, (await ask(edge, path)).status]
}

describe('the limit of days', () => {
  it('is 600 a minute of an address over all of them, and then 429 until a minute later', async () => {
    await seedFiles()
    const edge = openCompatibility()
    const paths = ['/v2/historical?day=2026-03-01', '/v1/cotizaciones/eur/2026/03/01']
    const statuses = await times(600, (number) => ask(edge, paths[number % 2]!))
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))

    const refused = await ask(edge, '/v1/cotizaciones/dolares/2026/03/01')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('60')
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect(refused.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await refused.text()).toBe('Demasiadas consultas de días: espere un minuto')

    expect((await ask(edge, paths[0]!, '198.51.100.8')).status).toBe(200)
    expect((await ask(edge, '/v1/dolares/blue')).status).toBe(404)
    edge.clock.now += 59_001
    expect((await ask(edge, paths[0]!)).headers.get('Retry-After')).toBe('1')
    edge.clock.now += 999
    await seedBoard(edge.clock.now, { historyRevision: await historyRevision(env.DB) })
    expect((await ask(edge, paths[0]!)).status).toBe(200)
  })

  it('is not that of the date reads, which stay at 20 in ten seconds', async () => {
    await seedFiles()
    const edge = openCompatibility({})
    await times(30, () => ask(edge, '/v2/historical?day=2026-03-01'))
    const dates = await times(21, () => ask(edge, '/api/v2/date/2026-03-01/usd/blue'))
    expect(dates.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429])
    expect((await ask(edge, '/v2/historical?day=2026-03-01')).status).toBe(200)
  })

  it('stands behind the platform’s limiter as well, and without it when it fails', async () => {
    await seedFiles()
    // It is asked beside the answer, so its refusal holds from the next request on.
    expect(await statusesWith(async () => ({ success: false }))).toEqual([200, 429])
    expect(await statusesWith(async () => ({ success: true }))).toEqual([200, 200])
    const logged = vi.spyOn(console, 'error')
    expect(await statusesWith(() => Promise.reject(new Error('down')))).toEqual([200, 200])
    expect(logged.mock.lastCall?.[0]).toContain('"event":"rate_limit_failed"')
    logged.mockRestore()
  })
})
