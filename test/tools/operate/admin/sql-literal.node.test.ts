import * as fc from 'fast-check'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { inlineParameters, sqlLiteral } from '../../../../tools/operate/admin/remote-database.ts'

const sqlite = new DatabaseSync(':memory:')
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
      expect(Object.values(inlined)).toEqual(values.map(wellFormed))
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

it('refuses a parameter without a value and numbers without a literal', () => {
  expect(() => inlineParameters('select ?, ?', [1])).toThrow(RangeError)
  expect(() => sqlLiteral(Number.NaN)).toThrow(RangeError)
  expect(() => sqlLiteral(Number.POSITIVE_INFINITY)).toThrow(RangeError)
})

/** A lone surrogate has no UTF-8 form: it becomes U+FFFD on every way to a database. */
function wellFormed(value: string | number | null) {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** SQLite gives whole numbers back as integers, and Node reads those only while they are safe. */
function isReadable(number: number): boolean {
  return !Number.isInteger(number) || Number.isSafeInteger(number)
}
