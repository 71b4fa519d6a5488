import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openRemote } from '../../../../tools/operate/admin/open-remote.ts'

it('runs statements with their values through wrangler d1 execute, a batch in one call', async () => {
  const { calls, run } = wranglerOver(new DatabaseSync(':memory:'))
  const { db } = openRemote('', run)

  await db.prepare('create table names (id integer primary key, name text)').run()
  await db.batch([
    db.prepare('insert into names (name) values (?)').bind("O'Higgins; drop table names"),
    db.prepare('insert into names (name) values (?)').bind(null),
  ])
  const all = await db.prepare('select name from names order by id').all()
  const first = await db.prepare('select name from names where id = ?').bind(1).first('name')
  const none = await db.prepare('select name from names where id = ?').bind(9).first()

  expect(all.results).toEqual([{ name: "O'Higgins; drop table names" }, { name: null }])
  expect(first).toBe("O'Higgins; drop table names")
  expect(none).toBeNull()
  expect(calls).toHaveLength(5)
})

it('refuses what does not fit one command line, without a word of it', async () => {
  const { db } = openRemote()
  const failing = db.prepare('select ?').bind('secret@example.com'.repeat(9000)).all()
  await expect(failing).rejects.toThrow('too much for one remote statement')
})

it('finds the board’s namespace by its name, once', async () => {
  const calls: string[][] = []
  const run = async (args: string[]) => {
    calls.push(args)
    if (args[1] === 'key') return 'text'
    return JSON.stringify([
      { id: 'k-1', title: 'cotizaciones-board' },
      { id: 'k-2', title: 'cotizaciones-board-staging' },
    ])
  }
  const { kv } = openRemote('-staging', run)
  expect([await kv.get('board'), await kv.get('board')]).toEqual(['text', 'text'])
  expect(calls.map((args) => args.at(-1))).toEqual([
    'list',
    '--namespace-id=k-2',
    '--namespace-id=k-2',
  ])
})

it('writes to the namespace through a file, for a value may be larger than an argument', async () => {
  const seen: { value: string; file: string }[] = []
  const run = async (args: string[]) => {
    if (args[1] === 'namespace') return JSON.stringify([{ id: 'k-1', title: 'cotizaciones-board' }])
    const file = args.find((arg) => arg.startsWith('--path='))!.slice('--path='.length)
    seen.push({ value: readFileSync(file, 'utf8'), file })
    return ''
  }
  const value = 'x'.repeat(300_000)
  await openRemote('', run).kv.put('chart:closes:USD/BLUE', value)

  expect(seen.map((one) => one.value)).toEqual([value])
  expect(existsSync(seen[0]!.file)).toBe(false)
})

/** Stands where wrangler is: it runs the command's SQL and prints what wrangler prints. */
function wranglerOver(sqlite: DatabaseSync) {
  const calls: string[][] = []
  const run = async (args: string[]) => {
    calls.push(args)
    expect(args.slice(0, 4)).toEqual(['d1', 'execute', 'cotizaciones', '--remote'])
    const sql = args.find((arg) => arg.startsWith('--command='))!.slice('--command='.length)
    const results = sql
      .split(/;\n|;$/)
      .filter((statement) => statement.trim())
      .map((statement) => ({ results: sqlite.prepare(statement).all(), success: true, meta: {} }))
    return JSON.stringify(results)
  }
  return { calls, run }
}
