import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addDays } from '../../../../shared/argentine-time.ts'
import { importCommand } from '../../../../tools/operate/admin/import.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { remoteDatabase } from '../../../../tools/operate/admin/remote-database.ts'

const DAYS = 1200

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
  const folder = mkdtempSync(join(tmpdir(), 'import-remote-'))
  const file = join(folder, 'cotizaciones-dolares.json')
  writeDollars(file)
  const local = await openLocal(folder)
  const sizes: number[] = []
  // What wrangler would get: SQL texts with the values in them, one command a batch.
  const db = remoteDatabase(async (statements) => {
    sizes.push(Buffer.byteLength(statements.join(';\n')))
    return local.db.batch(statements.map((sql) => local.db.prepare(sql)))
  })

  const lines: string[] = []
  try {
    const context = { kv: local.kv, now: () => Date.now(), remote: true, stateDir: folder }
    const print = (line: string) => void lines.push(line)
    await importCommand.run([file], { ...context, db, print, warn: print })
    const count = await local.db.prepare('select count(*) as n from points').first('n')

    expect(lines.at(-1)).toBe(`${count} new points made from 1 file(s)`)
    expect(count).toBe(3 * DAYS)
    expect(Math.max(...sizes)).toBeLessThan(100_000)
    // As much as one command could not take.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(200_000)
  } finally {
    await local[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})
