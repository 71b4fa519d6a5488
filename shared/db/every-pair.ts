import { PAIRS } from '../market/catalog.ts'

const IDS = PAIRS.map(({ id }) => id)

/** The ids of every pair of the catalogue, for `json_each`. */
export const EVERY_PAIR = JSON.stringify(IDS)

/** The same for `in (…)`: rows of pairs that left the catalogue are not shown. */
export const PAIR_IDS = IDS.join(', ')
