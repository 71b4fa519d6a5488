import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { cerFromUva, uvaFromCer } from '../../workers/scraper/pairs/derive/indices.ts'
import type { Reading } from '../../workers/scraper/sources/source.ts'
import { art } from '../support/instant.ts'
import { recording } from './recordings.ts'

const context = { tarjetaRate: new Big(0), current: new Map() }

function json<Value>(path: string): Value {
  return JSON.parse(recording(path)) as Value
}

/** Rows of `fecha,cer,…` by day. */
function column(path: string, index: number): [day: string, value: Big][] {
  const rows = recording(path).trim().split('\n').slice(1)
  return rows.map((row) => [row.split(',')[0]!, new Big(row.split(',')[index]!)])
}

function inputs(name: string, values: [string, Big][]): Reading[] {
  return values.map(([day, value]) => ({ kind: 'input', name, day, value }))
}

describe('recorded series', () => {
  it('have UVA as CER makes it, to the cent, September 2023 to April 2024', () => {
    const path = 'documents/derived/cer_uva_2023-09_2024-04.csv'
    const cer = inputs('CER', column(path, 1))
    const uva = column(path, 2)
    const wrong = uva.slice(5).flatMap(([day, value]) => {
      const quote = uvaFromCer(cer, { ...context, now: art(`${day} 12:00`) })
      return quote?.sell.minus(value).abs().lte('0.0101') ? [] : [day]
    })
    expect(uva).toHaveLength(223)
    expect(wrong).toEqual([])
  })

  it('have CER as UVA makes it, to a few hundredths, on every day of the week', () => {
    const path = 'documents/derived/cer_uva_2023-09_2024-04.csv'
    const uva = inputs('UVA', column(path, 2))
    const cer = column(path, 1)
    const wrong = cer.slice(0, -8).flatMap(([day, value]) => {
      const quote = cerFromUva(uva, { ...context, now: art(`${day} 12:00`) })
      return quote?.sell.minus(value).abs().lte('0.1') ? [] : [day]
    })
    expect(wrong).toEqual([])
  })

  it('hold the identity from 2021 to March 2025', () => {
    const cer = inputs('CER', column('data/cer/cer.csv', 1))
    const uva = json<{ fecha: string; valor: number }[]>('data/argentinadatos/uva.json')
    const wrong = uva.flatMap(({ fecha, valor }) => {
      if (fecha < '2021-01-05' || fecha > '2025-03-31') return []
      const quote = uvaFromCer(cer, { ...context, now: art(`${fecha} 12:00`) })
      return quote?.sell.minus(valor).abs().lte('0.02') ? [] : [fecha]
    })
    expect(wrong).toEqual([])
  })
})
