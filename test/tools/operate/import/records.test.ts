import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRecords, jsonRecords } from '../../../../tools/operate/import/records.ts'

/** A text in pieces cut at these places. */
async function* cut(text: string, places: number[]): AsyncGenerator<string> {
  let from = 0
  for (const place of places.map((n) => n % (text.length + 1)).toSorted((a, b) => a - b)) {
    yield text.slice(from, place)
    from = place
  }
  yield text.slice(from)
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = []
  for await (const row of rows) list.push(row)
  return list
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const field = fc.string({
  maxLength: 6,
  unit: fc.constantFrom('a', '"', ',', '\n', '}', '\\', '{', ' '),
})
const table = fc.array(fc.record({ x: field, y: field }), { maxLength: 6 })
const places = fc.array(fc.nat(), { maxLength: 8 })

it('reads the objects of a JSON array however the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(table, places, fc.constantFrom(0, 2), async (rows, cuts, indent) => {
      const text = JSON.stringify(rows, null, indent)
      expect(await all(jsonRecords(cut(text, cuts)))).toEqual(rows)
    }),
  )
})

it.each(['[{"a":1}', '[{"a":1},{"a"', '[', '[{"a":{"b":1}}]', '[{"a":1}] x', '[{a:1}]'])(
  'refuses %s',
  async (text) => {
    await expect(all(jsonRecords(cut(text, [])))).rejects.toThrow(SyntaxError)
  },
)

it('reads the rows of a CSV however the text is cut and its lines end', async () => {
  await fc.assert(
    fc.asyncProperty(table, places, fc.constantFrom('\n', '\r\n'), async (rows, cuts, end) => {
      const lines = ['x,y', ...rows.map(({ x, y }) => `${quoted(x)},${quoted(y)}`), '']
      expect(await all(csvRecords(cut(lines.join(end), cuts)))).toEqual(rows)
    }),
  )
})

describe('a CSV row', () => {
  it.each([
    ['1,2', { a: '1', b: '2' }],
    ['1,', { a: '1', b: '' }],
    [',', { a: '', b: '' }],
    ['1', { a: '1', b: '' }],
    ['"1,5",2', { a: '1,5', b: '2' }],
    ['"",""', { a: '', b: '' }],
    ['1,2,3', { a: '1', b: '2' }],
  ])('%s', async (line, expected) => {
    expect(await all(csvRecords(cut(`a,b\n${line}`, [])))).toEqual([expected])
  })
})
