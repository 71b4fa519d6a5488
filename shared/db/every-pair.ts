import { PAIRS } from '../market/catalog.ts'

/** The ids of every pair of the catalogue, for `json_each`. */
export const EVERY_PAIR = JSON.stringify(PAIRS.map(({ id }) => id))
