import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { retryWhenBusy } from '../../../../workers/standalone/retry-when-busy.ts'
import { openLocal, openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { admin } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

it.each([
  [3, 'D1_ERROR: database is locked: SQLITE_BUSY', 4, 1],
  [3, 'D1_ERROR: Failed to get session commit token: internal error; reference = 0', 4, 1],
  [Infinity, 'SQLITE_BUSY', 40, 'SQLITE_BUSY'],
  [1, 'D1_ERROR: UNIQUE constraint failed', 1, 'UNIQUE'],
])('a batch that fails %d times with %s is tried %d times: %s', async (times, text, tries, end) => {
  await using storage = await openScratchStorage()
  let calls = 0
  const failing = new Proxy(storage.db, {
    get: (db, name: keyof D1Database) =>
      name === 'batch'
        ? (statements: D1PreparedStatement[]) => {
            if (calls++ < times) throw new Error(text)
            return db.batch(statements)
          }
        : db[name],
  })
  const db = retryWhenBusy(failing, async () => {})
  const run = db.batch([db.prepare('select ?1 as one').bind(1)])
  const result = await run.then(([one]) => one!.results[0], String)
  if (typeof end === 'string') expect(result).toContain(end)
  else expect(result).toEqual({ one: end })
  expect(calls).toBe(tries)
})

it('prints no stack of the runtime for a lock that another process holds', async () => {
  const stateDir = temporaryFolder()
  await (await openLocal(stateDir))[Symbol.asyncDispose]()
  using other = new DatabaseSync(databaseFile(stateDir)!)
  other.exec('pragma locking_mode = exclusive; begin exclusive; create table held (id)')
  const { output } = await admin(['account', 'create', 'ana@example.com', '--state', stateDir])
  expect(output).toMatch(/^error: [^\n]+\n$/)
})
