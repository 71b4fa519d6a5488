/** The forms of current reads, as their parameters name them: for the hot path, without zod. */
export const FORMATS = ['csv', 'json', 'value'] as const
export const LOCALES = ['en-US', 'es-AR'] as const

export type Side = 'buy' | 'sell'

/** The sides of a pair, as each generation names them. */
export const FIELDS = {
  1: { compra: 'buy', venta: 'sell' },
  2: { buy: 'buy', sell: 'sell' },
} as const satisfies Record<number, Record<string, Side>>
