import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addDays } from '../../../../shared/argentine-time.ts'
import { openScratchStorage } from '../../../../tools/operate/admin/open-local.ts'
import { remoteDatabase } from '../../../../tools/operate/admin/remote-database.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { runAdmin } from '../../../support/admin.ts'

const DAYS = 3000

/** A file of the dollars by day, which move on each of them. */
function writeDollars(file: string): void {
  const rows = Array.from({ length: DAYS }, (_, day) =>
    ['blue', 'oficial', 'mayorista'].map((casa, pair) => ({
      casa,
      compra: 100 + day + pair,
      venta: 102 + day + pair,
      fecha: addDays('2015-01-01', day),
    })),
  )
  writeFileSync(file, JSON.stringify(rows.flat()))
}

it('writes to a remote database in commands it can take', async () => {
  using scratch = openScratch()
  writeDollars(scratch.file('cotizaciones-dolares.json'))
  await using local = await openScratchStorage()
  const sizes: number[] = []
  // What wrangler would get: SQL texts with the values in them, one command a batch.
  const db = remoteDatabase(async (statements) => {
    sizes.push(Buffer.byteLength(statements.join(';\n')))
    return local.db.batch(statements.map((sql) => local.db.prepare(sql)))
  })

  const file = scratch.file('cotizaciones-dolares.json')
  const lines = await runAdmin({ db, kv: local.kv, remote: true }, 'import', file)
  expect(lines.at(-1)).toBe(`${3 * DAYS} new points made from 1 file(s)`)
  expect(await local.db.prepare('select count(*) as n from points').first('n')).toBe(3 * DAYS)
  expect(Math.max(...sizes)).toBeLessThan(100_000)
  // As much as one command could not take.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(200_000)
})
