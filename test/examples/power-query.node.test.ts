/** The tables for Power Query. No Excel runs here: what is held is their syntax and what they name. */
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Board } from '../../shared/board/board.ts'
import { dailyCloses } from '../../workers/scraper/nightly/daily-closes.ts'
import { toCsvFile } from '../../workers/scraper/nightly/formats/csv.ts'
import { openResponses } from '../../workers/edge/current/board-responses.ts'
import { findCurrentRead } from '../../workers/edge/current/current-read.ts'
import { formedResponse } from '../../workers/edge/current/forms.ts'

const FOLDER = 'examples/planillas'
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.pq'))
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8')
const parses = async (text: string) =>
  TaskUtils.isParseStageOk(await TaskUtils.tryLexParse(DefaultSettings, text))

/** The first lines of what the addresses answer, by the service's own printers. */
const HEADS: Readonly<Record<string, string>> = {
  'datos/cotizaciones.csv': toCsvFile(dailyCloses([], 0)),
  'api/v2/quotes?format=csv': formedResponse(
    openResponses({ quotes: [] } as unknown as Board, 0),
    findCurrentRead('/api/v2/quotes')!,
    { kind: 'csv', locale: 'en-US' },
    0,
  )!.body,
}

describe.each(files)('%s', (name) => {
  it('parses by Microsoft’s own parser, and not without one of its brackets', async () => {
    const text = read(name)
    expect(await parses(text)).toBe(true)
    const ends = [...text.matchAll(/[)\]}]/g)].map(({ index }) => index)
    expect(ends.length).toBeGreaterThan(5)
    for (const at of ends) expect(await parses(text.slice(0, at) + text.slice(at + 1))).toBe(false)
  })

  it('names an address of ours, and columns that its answer has', () => {
    const text = read(name)
    const path = /RelativePath = "([^"]+)"/.exec(text)![1]!
    const query = [...text.matchAll(/Query = \[(\w+) = "(\w+)"\]/g)].map(([, key, value]) => [
      key!,
      value!,
    ])
    const address = query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path
    const columns = HEADS[address]?.split('\r\n')[0]!.split(',')
    const named = [...text.matchAll(/\{"(\w+)", type \w+\}/g)].map(([, column]) => column)

    expect(columns, address).toBeDefined()
    expect(named.length).toBeGreaterThan(2)
    expect(columns).toEqual(expect.arrayContaining(named))
  })
})

it('has both files', () => expect(files).toEqual(['cierres.pq', 'cotizaciones.pq']))
