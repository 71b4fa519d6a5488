import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { claimFolder, findRunning } from '../../../../tools/operate/local/running.ts'
import { admin } from '../../../../tools/prove/harness/service.ts'
import { CommandError } from '../../../../tools/support/arguments.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { listen } from '../../../../tools/support/listen.ts'
import { runTool } from '../../../../tools/support/process.ts'

it('ends with 2 and a clear line for each variable that is wrong', async () => {
  const wrong = ['--var', 'NONSENSE=1', '--var', 'DELIVERY_WAITS=30']
  const args = ['--port', '0', '--state', temporaryFolder(), ...wrong]
  const { code, output } = await runTool('start', args)
  expect(output).toContain(
    'NONSENSE is no configuration variable\nDELIVERY_WAITS must be three whole numbers',
  )
  expect(code).toBe(2)
})

it('ends with 1 when the port is in use', async () => {
  await using server = await listen(createServer())
  const { port } = server
  const args = ['--state', temporaryFolder(), '--port', String(port)]
  const { code, output } = await runTool('start', args)
  expect(output).toBe(`error: port ${port} is in use: choose another with --port\n`)
  expect(code).toBe(1)
})

it.each([
  [
    '0000_create_quotes.sql',
    `delete from d1_migrations; drop table subscriptions;
     insert into d1_migrations (name) values ('0000_create_quotes.sql'), ('0001_create_imports.sql')`,
  ],
  ['another 0000_schema.sql', 'drop trigger service_mode_stays'],
  ['another 0000_schema.sql', 'alter table notices add column of_before text'],
])('does not change the state of a version with %s', async (applied, change) => {
  const stateDir = temporaryFolder()
  await (await openLocal(stateDir))[Symbol.asyncDispose]()
  using database = new DatabaseSync(databaseFile(stateDir)!)
  database.exec(change)
  const content = () =>
    ['sqlite_master', 'd1_migrations', 'current_quotes'].map((table) =>
      database.prepare(`select * from ${table}`).all(),
    )
  const before = content()

  const refusal = `the database is of another version of the service, which applied ${applied}: nothing was changed, choose an empty one`
  await expect(openLocal(stateDir)).rejects.toThrow(new CommandError(refusal))
  expect(content()).toEqual(before)
  if (applied !== '0000_create_quotes.sql') return

  const start = await runTool('start', ['--state', stateDir, '--port', '0'])
  expect(start).toMatchObject({ code: 1, output: `error: ${refusal}\n` })
  expect(content()).toEqual(before)
})

it('runs on a database of a later version with a warning, because migrations only add', async () => {
  const stateDir = temporaryFolder()
  await (await openLocal(stateDir))[Symbol.asyncDispose]()
  using database = new DatabaseSync(databaseFile(stateDir)!)
  database.exec(`insert into d1_migrations (name) values ('0001_next.sql');
    alter table notices add column of_later text`)
  const { code, output } = await admin(['account', 'list', '--state', stateDir])
  expect(output).toBe(
    'the database is of a later version, which applied 0001_next.sql: this version can use it\n',
  )
  expect(code).toBe(0)
})

it('refuses a folder that is a file, is below a file, or cannot be written to', async () => {
  const stateDir = temporaryFolder()
  writeFileSync(join(stateDir, 'file'), '')
  const below = join(stateDir, 'file/below')
  const refusal = /^\S+ cannot be used: ENOTDIR: [^\n]+$/
  expect(() => claimFolder(below)).toThrow(refusal)
  await expect(openLocal(below)).rejects.toThrow(refusal)
  expect(() => claimFolder(join(stateDir, 'file'))).toThrow(/^\S+ cannot be used: E[A-Z]+: [^\n]+$/)
  // A directory instead of the file: the write fails as on a read-only file system.
  mkdirSync(join(stateDir, 'lock'))
  expect(() => claimFolder(stateDir)).toThrow(/^\S+ cannot be used: EISDIR: [^\n]+$/)
})

it.each([
  ['account list', 'there is no state in', 'npm start or admin import makes one'],
  ['cycle', 'no service runs on', 'npm start first'],
])('ends with 1 and one line for %s without what it needs, and creates nothing', async (...row) => {
  const [words, problem, advice] = row
  const stateDir = temporaryFolder()
  if (words === 'cycle') await (await openLocal(stateDir))[Symbol.asyncDispose]()
  const before = readdirSync(stateDir)
  expect(await admin([...words.split(' '), '--state', stateDir])).toMatchObject({
    code: 1,
    output: `error: ${problem} ${stateDir}: ${advice}\n`,
  })
  expect(readdirSync(stateDir)).toEqual(before)
})

it('finds a service while it holds the folder, but not from the note of a killed service', () => {
  const stateDir = temporaryFolder()
  const running = { pid: 1, url: 'http://127.0.0.1:1', token: 'token' }
  expect(findRunning(stateDir)).toBeNull()

  const folder = claimFolder(stateDir)
  folder.note(running)
  const note = readFileSync(join(stateDir, 'running.json'))
  expect(findRunning(stateDir)).toEqual(running)
  expect(() => claimFolder(stateDir)).toThrow(
    `${stateDir} is in use by the service at http://127.0.0.1:1 (1)`,
  )
  folder[Symbol.dispose]()
  writeFileSync(join(stateDir, 'running.json'), note)
  expect(findRunning(stateDir)).toBeNull()
})
