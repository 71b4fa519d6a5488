import { sql } from 'drizzle-orm'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ConfigError } from '../../shared/config/config.ts'
import { logFailure } from '../../shared/log.ts'
import { openDatabase } from '../../shared/db/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'

afterEach(() => vi.restoreAllMocks())

/** The log line for whatever the work throws. */
async function logged(work: () => unknown): Promise<{ line: string; fields: any }> {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    await work()
  } catch (thrown) {
    logFailure('unexpected_error', thrown)
  }
  const line = error.mock.calls[0]![0] as string
  return { line, fields: JSON.parse(line) }
}

it.each([
  [new Error('D1 DB is overloaded. Requests queued for too long.'), 'overloaded'],
  [new Error('D1_ERROR: database or disk is full: SQLITE_FULL'), 'full'],
  [new Error('D1_ERROR: Exceeded maximum DB size'), 'full'],
  [new Error('KV put() limit exceeded for the day.'), 'quota'],
  [new Error('D1_ERROR: Your account has exceeded its maximum daily row write limit'), 'quota'],
  [new Error('D1_ERROR: database is locked: SQLITE_BUSY'), 'locked'],
  [new Error('D1_ERROR: attempt to write a readonly database: SQLITE_READONLY'), 'readonly'],
  [new Error('KV PUT failed: 500 Internal Server Error'), 'unavailable'],
  [new Error('D1_ERROR: internal error; reference = q07'), 'unavailable'],
  [new Error('Failed', { cause: new Error('UNIQUE constraint failed: t.c') }), 'constraint'],
  [new RangeError('whatever'), 'RangeError'],
  // For a variable the log has the sentence, quotations included.
  [new ConfigError('"DATE_READ_LIMIT" is no whole number'), 'ConfigError'],
])('names the kind of %s', async (error, kind) => {
  const { fields } = await logged(() => Promise.reject(error))
  expect(fields).toMatchObject({ event: 'unexpected_error', kind, message: error.message })
})

const SECRET = 'whsec_hunter2'
const KEY = 'ck_0123456789abcdef0123'
const ADDRESS = `https://ana:${SECRET}@receptor.example/hook?clave=${KEY}`
const REVEALING = /hunter2|ck_0|receptor\.example|https?:|ana@|clave|select|insert|params/i

const STATEMENT = `select secret_column from accounts where email = 'ana@x.test' and key = '${SECRET}'`
const failure = (message: string) => () => Promise.reject(new Error(message))
const inner = (message: string) => () =>
  Promise.reject(new Error(`for "${ADDRESS}"`, { cause: new TypeError(message) }))

it.each([
  ['a statement', () => env.DB.prepare(STATEMENT).bind(KEY).all()],
  [
    'a statement of drizzle',
    () =>
      openDatabase(env.DB).run(sql`insert into accounts (email) values (${SECRET}, ${ADDRESS})`),
  ],
  ['JSON', () => JSON.parse(`{"clave": "${SECRET}", "a": ${KEY}}`)],
  ['JSON that is none', () => JSON.parse(`clave ${SECRET} ${ADDRESS}`)],
  ['a schema', () => z.object({ url: z.enum([KEY]) }).parse({ url: ADDRESS, secret: SECRET })],
  ['an address', () => new URL(`${SECRET} ${ADDRESS}`)],
  ['what is quoted in quotes', failure(`can't read '{"a": 'clave ${KEY}'}'`)],
  ['what is quoted and cut', failure(`it doesn't start: "clave hunter2`)],
  ['words that are no words', failure(`not sent to ${ADDRESS} with ${KEY}`)],
  ['lines like frames', failure(`broke\n    at evil (https://receptor.example/a.ts:1:2)`)],
  ['a cause', inner(`${STATEMENT} params: ${KEY}`)],
  ['a cause with parameters', inner(`broke, params: ${SECRET}, clave`)],
])('of %s it gives file and line, and nothing of its content', async (_, work) => {
  const { line, fields } = await logged(async () => work())
  expect(line).not.toMatch(REVEALING)
  const stacks = [fields.stack, fields.cause?.stack].flat()
  expect(stacks).toContainEqual(
    expect.stringMatching(/^(.* \()?(shared\/)?log\.test\.ts:\d+:\d+\)?$/),
  )
})

it('a handler that throws answers 500 with the id of its log lines', async () => {
  const edge = openEdge({ now: art('2026-03-02 12:00') })
  Object.defineProperty(edge.clock, 'now', {
    get() {
      throw new TypeError(`no clock at ${ADDRESS}`, { cause: new Error(STATEMENT) })
    },
  })
  const ask = async (headers: Record<string, string>) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await edge.fetch('/api/v2/auth/check', {
      headers: { 'x-api-key': 'ck_x', ...headers },
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: 'Error interno' })
    const line = error.mock.lastCall![0] as string
    expect(line).not.toMatch(REVEALING)
    const fields = JSON.parse(line)
    expect(fields).toMatchObject({ kind: 'TypeError', cause: { kind: 'Error' } })
    expect(fields.stack.join()).toMatch(/workers\/edge\/[\w/-]+\.ts:\d+:\d+/)
    expect(fields.request).toBe(response.headers.get('X-Request-Id'))
    return fields.request
  }

  expect(await ask({ 'CF-Ray': '8d4f0a2b3c4d5e6f-EZE' })).toBe('8d4f0a2b3c4d5e6f-EZE')
  const [one, other] = [await ask({ 'CF-Ray': SECRET }), await ask({})]
  expect(one).not.toBe(other)
})
