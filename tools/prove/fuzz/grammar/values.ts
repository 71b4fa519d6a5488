import * as fc from 'fast-check'
import { CURRENCIES, PAIRS, type Pair } from '../../../../shared/market/catalog.ts'
import { weighted } from './weighted.ts'

/** A code as paths take it: in any letter case, mostly in lower. */
function code(text: string): fc.Arbitrary<string> {
  const lower = text.toLowerCase()
  const mixed = fc.mixedCase(fc.constant(lower))
  return weighted([4, fc.constant(lower)], [1, mixed])
}

export const currency: fc.Arbitrary<string> = fc
  .constantFrom(...CURRENCIES)
  .chain((currency) => code(currency))

/** `usd/blue` and the like: a pair of the catalogue. */
export const pairPath: fc.Arbitrary<string> = fc
  .constantFrom(...PAIRS)
  .chain(({ currency, origin }) => fc.tuple(code(currency), code(origin)))
  .map((codes) => codes.join('/'))

export const pair: fc.Arbitrary<Pair> = fc.constantFrom(...PAIRS)

/** A day that is over: of the last years, or any since 2000. Tokens are counted from today. */
export const pastDay: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 1, max: 2000 }).map((days) => `{{day:-${days}}}`),
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
)

export const day: fc.Arbitrary<string> = weighted([4, pastDay], [1, fc.constant('{{day:0}}')])

const two = (most: number) =>
  fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'))

/** `HH:MM` or `HH:MM:SS`. */
export const time: fc.Arbitrary<string> = fc
  .tuple(two(23), two(59), fc.option(two(59), { nil: undefined }))
  .map((parts) => parts.filter((part) => part !== undefined).join(':'))

/** A query of some of these parameters, in any order; empty or with its question mark. */
export function query(parameters: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  return fc
    .record(parameters, { requiredKeys: [] })
    .chain((chosen) => {
      const fields = Object.entries(chosen).map(([name, value]) => `${name}=${value}`)
      return fc.shuffledSubarray(fields, { minLength: fields.length })
    })
    .map((fields) => (fields.length === 0 ? '' : `?${fields.join('&')}`))
}

/** A receiver on this machine: deliveries to it are refused at the door, and go nowhere else. */
export const RECEIVER = 'receptor.example'

export const receiverUrl: fc.Arbitrary<string> = fc
  .webPath({ size: 'small' })
  .map((path) => `https://${RECEIVER}${path === '' ? '/' : path}`)

/** Printable ASCII without spaces at its ends. */
export const credential: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019 =+/:.-_~'), minLength: 1, maxLength: 60 })
  .map((text) => `x${text}x`)

export const keyName: fc.Arbitrary<string> = fc
  .string({ unit: fc.constantFrom(...'abc ñé💱-_.123'), minLength: 0, maxLength: 20 })
  .map((text) => `clave ${text}`.trim())

export function webhookBody() {
  const operationId = crypto.randomUUID()
  return { operationId, url: `https://${RECEIVER}/`, currency: 'USD', origin: 'BLUE' }
}
