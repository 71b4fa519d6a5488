import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pairKey, PAIRS } from '../../../../shared/market/catalog.ts'
import { ARCHIVES, SERVED } from '../../../../tools/operate/backfill/table.ts'
import { isDailySource } from '../../../../tools/operate/import/formats.ts'

const DOCS = readFileSync('docs/history.md', 'utf8')

it('names every pair that no archive has in docs/history.md', () => {
  const without = PAIRS.map(pairKey).filter((key) => !SERVED[key])
  expect(DOCS).toContain(
    `${without.slice(0, -1).join(', ')} and ${without.at(-1)} are in no archive`,
  )
})

it('has the dollar of a cross before the cross, and only sources of daily closes', () => {
  const order = PAIRS.map(pairKey)
  for (const [pair, all] of Object.entries(SERVED)) {
    for (const { archive, key, cross } of all) {
      expect(ARCHIVES.get(archive.name)).toBe(archive)
      expect(isDailySource(archive.source(key)), archive.name).toBe(true)
      if (cross) expect(order.indexOf(cross.leg)).toBeLessThan(order.findIndex((k) => k === pair))
    }
  }
})
