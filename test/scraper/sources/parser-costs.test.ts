/** Documents of two megabytes that are slow to parse: each is refused or read quickly. */
import { describe, expect, it } from 'vitest'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'
import { SourceError } from '../../../workers/scraper/sources/source.ts'
import { document } from '../../support/documents.ts'

const NOW = Date.parse('2026-03-04T18:00:00Z')
const BYTES = 2 * 1024 * 1024

/** A cycle has thirty seconds of processor time for all its documents. */
const MOST_MS = 5000

/** Repeats a text many times behind the first place where `after` stands. */
function swollen(file: string, after: string, text: string): string {
  const body = document(file)
  const at = body.indexOf(after) + after.length
  expect(at, after).toBeGreaterThan(after.length - 1)
  return body.slice(0, at) + text.repeat(Math.floor(BYTES / text.length)) + body.slice(at)
}

describe.each([
  ['dolarhoy', 'dolarhoy.html', '<body>', '<a href="/cotizaciondolarblue">x</a>'],
  ['dolarhoy', 'dolarhoy.html', '<body>', '<div class="compra">'],
  ['bna-personas', 'bna-personas.html', '<td>', '<table><tr><td>'],
  ['iol-monedas', 'iol-monedas.html', '<tbody>', '<tr><td>'],
  ['ambito-futuro-contratos', 'ambito-futuro-contratos.json', '[', '{},'],
  ['dolarapi-cotizaciones', 'dolarapi-cotizaciones.json', '[', '"",'],
] as const)('%s: %s with “%s” and then “%s”', (name, file, after, text) => {
  it('costs little', () => {
    const source = SOURCES.find((source) => source.name === name)!
    const body = swollen(file, after, text)
    const since = performance.now()
    try {
      source.parse(body, NOW, true)
    } catch (error) {
      expect(error).toBeInstanceOf(SourceError)
    }
    expect(performance.now() - since).toBeLessThan(MOST_MS)
  })
})
