/** How DolarApi and ArgentinaDatos name the dollars that this service has too. */
import type { Day } from '../argentine-time.ts'
import { findPair, type Origin, type Pair } from '../market/catalog.ts'

export interface Casa {
  casa: string
  /** DolarApi's readable name. */
  nombre: string
  pair: Pair
}

/** In DolarApi's order. */
export const CASAS: readonly Casa[] = [
  casa('oficial', 'OFICIAL', 'Oficial'),
  casa('blue', 'BLUE', 'Blue'),
  casa('bolsa', 'BOLSA', 'Bolsa'),
  casa('contadoconliqui', 'CCL', 'Contado con liquidación'),
  casa('mayorista', 'MAYORISTA', 'Mayorista'),
  casa('cripto', 'CRIPTO', 'Cripto'),
  casa('tarjeta', 'TARJETA', 'Tarjeta'),
]

/** Only at DolarApi's Ámbito addresses, after the others. */
export const BNA: Casa = casa('bna', 'BNA', 'BNA')

const BY_NAME = CASAS.toSorted((a, b) => (a.casa < b.casa ? -1 : 1))

/**
 * From these days on ArgentinaDatos has DolarApi's order, before that alphabetical order. Its list of
 * all days changed one day later than the answers about one day.
 */
const ORDERED_SINCE = { day: '2024-01-30', list: '2024-01-31' } satisfies Record<string, Day>

/** ArgentinaDatos' order of a day, in the answer about that day or in its list of all days. */
export function casasOn(day: Day, where: keyof typeof ORDERED_SINCE): readonly Casa[] {
  return day < ORDERED_SINCE[where] ? BY_NAME : CASAS
}

function casa(casa: string, origin: Origin, nombre: string): Casa {
  return { casa, nombre, pair: findPair('USD', origin)! }
}
