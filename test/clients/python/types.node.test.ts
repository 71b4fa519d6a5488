import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as current from '../../../shared/api/current.ts'
import { datedQuote } from '../../../shared/api/dates.ts'
import * as history from '../../../shared/api/history.ts'

/** The classes of the Python client, by the schemas that the documents print. */
const DOCUMENTED: Readonly<Record<string, z.ZodMiniObject>> = {
  Quote: current.quote(),
  Change: current.change(),
  CurrentQuote: current.currentQuote(),
  QuoteAsOf: datedQuote(),
  HistoryPoint: history.historyPoint(),
  Candle: history.candle(),
  Candles: history.candles(),
}

/** A schema in Python's words. */
function typeOf(schema: z.ZodMiniType): string {
  if (schema instanceof z.ZodMiniNullable)
    return `Optional[${typeOf(schema.def.innerType as z.ZodMiniType)}]`
  if (schema instanceof z.ZodMiniArray)
    return `List[${typeOf(schema.def.element as z.ZodMiniType)}]`
  if (schema instanceof z.ZodMiniBoolean) return 'bool'
  if (schema instanceof z.ZodMiniNumberFormat) return 'int'
  if (schema instanceof z.ZodMiniNumber) return 'Number'
  if (!(schema instanceof z.ZodMiniObject)) return 'str'
  const shape = Object.keys(schema.shape).join()
  const named = Object.entries(DOCUMENTED).find(([, of]) => Object.keys(of.shape).join() === shape)
  if (!named) throw new Error(`the Python client has no class of ${shape}`)
  return named[0]
}

const python = readFileSync('clients/python/cotizaciones/types.py', 'utf8')

it('has a class for each answer that it names, and no other', () => {
  const names = [...python.matchAll(/^class (\w+)/gm)].map(([, name]) => name)
  expect(names.toSorted()).toEqual(Object.keys(DOCUMENTED).toSorted())
})

it.each(Object.entries(DOCUMENTED))('%s has the fields of the documents', (name, { shape }) => {
  const [declared = '', base = ''] = new RegExp(`class ${name}\\((.*?)\\):\n[^]+?\n(?!    )`).exec(
    python,
  )!
  const own = Object.entries(shape).filter(([field]) => !(field in (DOCUMENTED[base]?.shape ?? {})))
  const lines = own.map(([field, of]) => `    ${field}: ${typeOf(of as z.ZodMiniType)}\n`)
  expect(declared).toBe(`class ${name}(${base}):\n${lines.join('')}`)
})
