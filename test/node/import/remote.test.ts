import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importCommand } from '../../../tools/admin/import.ts'
import { openLocal } from '../../../tools/admin/open-local.ts'
import { remoteDatabase } from '../../../tools/admin/remote-database.ts'

const FILE = '../shared/data/argentinadatos/cotizaciones-dolares.json'
const absent = !existsSync(FILE)

it.skipIf(absent)(
  `writes to a remote database in commands it can take${absent ? ' (skipped: ../shared/data is absent)' : ''}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-remote-'))
    const local = await openLocal(folder)
    const sizes: number[] = []
    // What wrangler would get: SQL texts with the values in them, one command a batch.
    const db = remoteDatabase(async (statements) => {
      sizes.push(Buffer.byteLength(statements.join(';\n')))
      return local.db.batch(statements.map((sql) => local.db.prepare(sql)))
    })

    const lines: string[] = []
    try {
      const world = { kv: local.kv, now: () => Date.now(), remote: true, stateDir: folder }
      const print = (line: string) => void lines.push(line)
      await importCommand.run([FILE], { ...world, db, print, warn: print })
      const count = await local.db.prepare('select count(*) as n from points').first('n')

      expect(lines.at(-1)).toBe(`${count} new points made from 1 file(s)`)
      expect(count).toBeGreaterThan(10_000)
      expect(Math.max(...sizes)).toBeLessThan(100_000)
    } finally {
      await local[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    }
  },
)
