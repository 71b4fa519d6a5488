import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { markStatement, readMode } from '../../../../shared/db/quotes/service-mode.ts'
import type { AdminContext } from '../../../../tools/operate/admin/command.ts'
import { openLocal, openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'
import { freePort } from '../../../../tools/support/listen.ts'
import { runTool, spawnCommand } from '../../../../tools/support/process.ts'
import { openScratch, type Scratch } from '../../../../tools/support/scratch.ts'
import { runAdmin } from '../../../support/admin.ts'
import { type Archives, openArchives } from '../../../support/archives.ts'

const PAIRS = ['usd/blue', 'usd/mayorista', 'eur/blue', 'clp/oficial', 'arg/riesgo']
let archives: Archives
let scratch: Scratch

beforeAll(async () => {
  archives = await openArchives(Date.now())
  scratch = openScratch()
})
afterAll(async () => {
  await archives[Symbol.asyncDispose]()
  scratch[Symbol.dispose]()
})

it('makes the points of one clean run after a kill, and tells what it did', async () => {
  const begin = performance.now()
  const clean = await runTool('admin', args('clean'))
  const cleanMs = performance.now() - begin
  // At any time it is cut short in backfill.node.test.ts.
  const { child, exited } = spawnCommand(process.execPath, [
    'tools/operate/admin.ts',
    ...args('killed'),
  ])
  await sleep(cleanMs * 0.3)
  try {
    // The whole group: a runtime that it leaves behind would hold the state.
    process.kill(-child.pid!, 'SIGKILL')
  } catch (error) {
    // The first run was so slow that this one has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  await exited
  const after = await runTool('admin', args('killed'))

  expect([after.code, clean.code], after.output).toEqual([0, 0])
  expect(clean.stdout).toMatch(/^argentinadatos:\n +pair +rows +points made/)
  expect(clean.stdout).toMatch(/\n\d{4} new points made by \d+ requests in [\d.]+ s\n$/)
  expect(await pointsOf('killed')).toEqual(await pointsOf('clean'))
  // It marked the state, so that no demo is shown on these values.
  await using storage = await openLocal(scratch.file('clean'))
  expect(await readMode(storage.db)).toBe('upstream')
})

it('ends with 1 and one line a reason when an archive cannot be had', async () => {
  const where = [
    '--state',
    scratch.file('none'),
    '--upstream',
    `http://127.0.0.1:${await freePort()}`,
  ]
  const { code, output } = await runTool('admin', [
    'backfill',
    'usd/blue',
    'usd/ccl',
    'arg/cer',
    ...where,
  ])
  expect(code).toBe(1)
  // A host that cannot be reached is asked once.
  expect(output).toContain('0 new points made by 2 requests')
  expect(output).toContain(
    'api.argentinadatos.com does not answer (ECONNREFUSED): USD/BLUE (argentinadatos), USD/CCL (argentinadatos) left for another run\n',
  )
  expect(output).toMatch(/\nerror: 3 series could not be had: run it again later\n$/)
})

it.each([
  [['usd/none'], 'no pair usd/none in the catalogue'],
  [['--from', '2024-02-30'], '--from needs a day, YYYY-MM-DD'],
  [['--from', '2024-02-02', '--to', '2024-02-01'], '--from is after --to'],
  [['--source', 'bank'], '--source is one of argentinadatos, bcra-variables, bcra-currencies'],
  [['--upstream', 'file:///x'], '--upstream needs an http or https URL'],
])('refuses %s before it touches anything', async (words, message) => {
  await expect(runAdmin({} as AdminContext, 'backfill', ...words)).rejects.toThrow(message)
})

it.each([
  ['live', ['--upstream', 'http://127.0.0.1:9'], 'takes no values of mode upstream'],
  ['demo', [], 'takes no values of mode live: start the service first'],
  ['upstream', [], 'takes no values of mode live: start the service first, or give --upstream'],
] as const)('gives a state of mode %s nothing of another: %j', async (mode, words, message) => {
  await using storage = await openScratchStorage()
  await markStatement(storage.db, mode).run()
  const context = { ...storage, stateDir: scratch.path }

  await expect(runAdmin(context, 'backfill', ...words)).rejects.toThrow(
    `this state is of mode ${mode} and ${message}`,
  )
})

function args(state: string): string[] {
  const where = ['--state', scratch.file(state), '--upstream', archives.url]
  return ['backfill', ...PAIRS, '--from', '2025-01-01', ...where]
}

async function pointsOf(state: string) {
  await using storage = await openLocal(scratch.file(state))
  const { results } = await storage.db.prepare('select * from points order by pair, at').all()
  return results
}
