import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { retryWhenBusy } from '../../../../shared/db/retry-when-busy.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { admin } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

it.each([
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: Failed to get session commit token: internal error; reference = 0123',
])(
  'tries again while the database is locked, statements of a batch unwrapped: %s',
  async (text) => {
    const { db, calls } = databaseThatFails(3, text)
    const retrying = retryWhenBusy(db, async () => {})

    expect(await retrying.prepare('a').bind(1).run()).toBe('ran a 1')
    expect(calls.count).toBe(4)
    expect(await retrying.batch([retrying.prepare('b').bind(2)])).toEqual(['batched b 2'])
  },
)

it('gives up after some seconds of trying', async () => {
  const { db, calls } = databaseThatFails(Number.POSITIVE_INFINITY, 'SQLITE_BUSY')
  await expect(
    retryWhenBusy(db, async () => {})
      .prepare('a')
      .run(),
  ).rejects.toThrow('SQLITE_BUSY')
  expect(calls.count).toBe(40)
})

it('does not repeat a statement that failed for another reason', async () => {
  const { db, calls } = databaseThatFails(1, 'D1_ERROR: UNIQUE constraint failed')
  await expect(
    retryWhenBusy(db, async () => {})
      .prepare('a')
      .run(),
  ).rejects.toThrow('UNIQUE')
  expect(calls.count).toBe(1)
})

it('prints no stack of the runtime for a lock that another process holds', async () => {
  const stateDir = temporaryFolder()
  await (await openLocal(stateDir))[Symbol.asyncDispose]()
  using other = new DatabaseSync(databaseFile(stateDir)!)
  other.exec('pragma locking_mode = exclusive; begin exclusive; create table held (id)')
  const { output } = await admin(['account', 'create', 'ana@example.com', '--state', stateDir])
  expect(output).toMatch(/^error: [^\n]+\n$/)
})

/** As much of a database as fails a number of times and then answers what it was asked. */
function databaseThatFails(times: number, message: string) {
  const calls = { count: 0 }
  class Statement {
    readonly #text: string
    constructor(text: string) {
      this.#text = text
    }
    bind(...values: unknown[]) {
      return new Statement(`${this.#text} ${values.join(' ')}`)
    }
    async run() {
      if (calls.count++ < times) throw new Error(message)
      return `ran ${this.#text}`
    }
    get text() {
      return this.#text
    }
  }
  const db = {
    prepare: (sql: string) => new Statement(sql),
    batch: async (statements: Statement[]) => statements.map(({ text }) => `batched ${text}`),
  }
  return { db: db as unknown as D1Database, calls }
}
