import { afterEach, expect, it, vi } from 'vitest'
import { logFailure } from '../../shared/log.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  [new Error('D1 DB is overloaded. Requests queued for too long.'), 'overloaded'],
  [new Error('Network connection lost.'), 'connection'],
  [new Error('Failed', { cause: new Error('UNIQUE constraint failed: t.c') }), 'constraint'],
  [new RangeError('whatever'), 'RangeError'],
])('tells the kind of %s', (error, kind) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  logFailure('database_failed', error)
  expect(JSON.parse(log.mock.calls[0]![0] as string)).toMatchObject({
    event: 'database_failed',
    kind,
  })
})

it('tells nothing of the message, its parameters, or the stack', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  logFailure('unexpected_error', new Error('Failed query: select secret_column params: hunter2'))

  const line = log.mock.calls[0]![0] as string
  expect(line).not.toMatch(/hunter2|secret_column|select|\.ts|:\d+:\d+/)
})
