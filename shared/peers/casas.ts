/** How DolarApi and ArgentinaDatos name the dollars that this service has too. */
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

/** Only among DolarApi's Ámbito addresses, after the others. */
export const BNA: Casa = casa('bna', 'BNA', 'BNA')

/** In ArgentinaDatos' order: by name. */
export const CASAS_BY_NAME: readonly Casa[] = CASAS.toSorted((a, b) => (a.casa < b.casa ? -1 : 1))

function casa(casa: string, origin: Origin, nombre: string): Casa {
  return { casa, nombre, pair: findPair('USD', origin)! }
}
