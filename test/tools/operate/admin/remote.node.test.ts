import * as fc from 'fast-check'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openRemote } from '../../../../tools/operate/admin/open-remote.ts'
import { inlineParameters, sqlLiteral } from '../../../../tools/operate/admin/remote-database.ts'

const sqlite = new DatabaseSync(':memory:')

/** In wrangler's place: runs the SQL of a command and prints what wrangler prints. */
async function wrangler(args: string[]): Promise<string> {
  expect(args.slice(0, 4)).toEqual(['d1', 'execute', 'cotizaciones', '--remote'])
  const sql = args.find((arg) => arg.startsWith('--command='))!.slice('--command='.length)
  const results = sql
    .split(/;\n|;$/)
    .filter((statement) => statement.trim())
    .map((statement) => ({ results: sqlite.prepare(statement).all(), success: true, meta: {} }))
  return JSON.stringify(results)
}

it('runs statements with their values through wrangler d1 execute, a batch in one call', async () => {
  let calls = 0
  const { db } = openRemote('', (args) => wrangler(args).finally(() => calls++))

  await db.prepare('create table names (id integer primary key, name text)').run()
  await db.batch([
    db.prepare('insert into names (name) values (?)').bind("O'Higgins; drop table names"),
    db.prepare('insert into names (name) values (?)').bind(null),
  ])
  const all = await db.prepare('select name from names order by id').all()
  expect(all.results).toEqual([{ name: "O'Higgins; drop table names" }, { name: null }])
  expect(calls).toBe(3)
})

it('refuses what does not fit one command line, without a word of it', async () => {
  const failing = openRemote().db.prepare('select ?').bind('secret@example.com'.repeat(9000)).all()
  await expect(failing).rejects.toThrow('too much for one remote statement')
})

it('reads the namespace of its name', async () => {
  const calls: string[][] = []
  const { kv } = openRemote('-staging', async (args) => {
    calls.push(args)
    if (args[1] === 'namespace')
      return JSON.stringify([
        { id: 'k-1', title: 'cotizaciones-board' },
        { id: 'k-2', title: 'cotizaciones-board-staging' },
      ])
    return 'text'
  })
  expect(await kv.get('board')).toBe('text')
  expect(calls.map((args) => args.at(-1))).toEqual(['list', '--namespace-id=k-2'])
})

/** SQLite gives whole numbers back as integers, and Node reads those only while they are safe. */
const isReadable = (number: number) => !Number.isInteger(number) || Number.isSafeInteger(number)
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '"', '?', '-', '*', '/', '\\', '\n', ';', '\0', 'á', '`'),
  }),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Object.is(number, -0) && isReadable(number)),
  fc.constant(null),
)

it('writes any value so that SQLite reads the same', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const sql = `select ${values.map((_, index) => `? as c${index}`).join(', ')}`
      const inlined = sqlite.prepare(inlineParameters(sql, values)).get()!
      // A lone surrogate has no UTF-8 form: it becomes U+FFFD on every way to a database.
      expect(Object.values(inlined)).toEqual(
        values.map((one) => (typeof one === 'string' ? one.toWellFormed() : one)),
      )
    }),
  )
})

it.each([
  ['select \'?\', "?", `?` -- ?\n, /* ? */ ?', ['a'], "select '?', \"?\", `?` -- ?\n, /* ? */ 'a'"],
  ['select ?2, ?1, ?', [1, 'b', 3], "select 'b', 1, 3"],
  ["select 'it''s ?', ?", ['x'], "select 'it''s ?', 'x'"],
  ['select 3-?', [-1], 'select 3-(-1)'],
  ['select ?', [true], 'select 1'],
])('inlines %j', (sql, values, expected) => {
  expect(inlineParameters(sql, values)).toBe(expected)
})

it('refuses a parameter without a value and a number without a literal', () => {
  expect(() => inlineParameters('select ?, ?', [1])).toThrow(RangeError)
  expect(() => sqlLiteral(Number.NaN)).toThrow(RangeError)
})
