import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aroundDatabase } from '../../../../shared/db/around.ts'
import { retryWhenBusy } from '../../../../workers/standalone/retry-when-busy.ts'
import {
  openLocal,
  openScratchStorage,
  type Storage,
} from '../../../../tools/operate/admin/open-local.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

let storage: Storage
beforeAll(async () => {
  storage = await openScratchStorage()
  await storage.db.prepare('create table t (id integer primary key, value any) strict').run()
})
afterAll(() => storage[Symbol.asyncDispose]())

it('runs a batch completely or not at all, and reports what failed', async () => {
  const { db } = storage
  const count = () => db.prepare('select count(*) as n from t').first('n')
  const insert = (id: number) => db.prepare('insert into t (id) values (?)').bind(id)
  const before = await count()

  await expect(db.batch([insert(901), insert(901)])).rejects.toThrow(
    /UNIQUE constraint failed: t\.id/,
  )
  expect(await count()).toBe(before)
  const results = await db.batch([insert(901), insert(902)])
  expect(results.map(({ meta }) => meta.last_row_id)).toEqual([901, 902])
  expect(await db.batch([])).toEqual([])
})

it.each([
  [3, 'D1_ERROR: database is locked: SQLITE_BUSY', 4, 1],
  [3, 'D1_ERROR: Failed to get session commit token: internal error; reference = 0', 4, 1],
  [Infinity, 'SQLITE_BUSY', 40, 'SQLITE_BUSY'],
  [1, 'D1_ERROR: UNIQUE constraint failed', 1, 'UNIQUE'],
])('a batch that fails %d times with %s is tried %d times: %s', async (times, text, tries, end) => {
  let calls = 0
  const failing = aroundDatabase(storage.db, async (call) => {
    if (calls++ < times) throw new Error(text)
    return call()
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
  const words = ['account', 'create', 'ana@example.com', '--state', stateDir]
  const { output } = await runTool('admin', words)
  expect(output).toMatch(/^error: [^\n]+\n$/)
})
